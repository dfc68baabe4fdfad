// The program of drop-file.html: shows the annotated bytes of a file that is dropped on the page.
import { DecodeError, decode } from 'tw-snap';
import { annotate, packetJson, plainTheme, renderHexdump } from 'tw-snap/unstable';

const target = document.getElementById('drop');
const output = document.getElementById('bytes');

target.addEventListener('dragover', (event) => event.preventDefault());
target.addEventListener('drop', async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  output.textContent = await described(file);
});

async function described(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    const decoded = decode(bytes);
    if ('contents' in decoded) return JSON.stringify(packetJson(decoded.contents), null, 2);
    const options = { name: file.name, theme: plainTheme, width: 100, verbose: false };
    return renderHexdump(decoded.payload, annotate(decoded.payload), options);
  } catch (error) {
    if (error instanceof DecodeError) return `${file.name} can't be decoded: ${error.code} at byte ${error.offset}`;
    throw error;
  }
}
