// The program of drop-demo.html: shows the map, the players and their scores, and what they said, of a demo that is dropped on the page.
import { DecodeError, items, messageOf, readDemo } from 'tw-snap';

const element = (id) => document.getElementById(id);

element('drop').addEventListener('dragover', (event) => event.preventDefault());
element('drop').addEventListener('drop', async (event) => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  for (const id of ['title', 'players', 'events']) element(id).replaceChildren();
  try {
    await show(file);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    element('title').textContent = `${file.name}: ${error.message}`;
  }
});

/** A file is read piece by piece; one that is compressed with gzip is decompressed. */
async function show(file) {
  const names = new Map();
  const scores = new Map();
  await readDemo(file, { reuse: true }).each((entry) => {
    if (entry.record === 'header') element('title').textContent = entry.header.mapName;
    else if (entry.record === 'snapshot') {
      const kinds = ['obj_client_info', 'obj_de_client_info', 'obj_player_info'];
      for (const item of items(entry.snapshot, entry.stream.protocol, ...kinds)) {
        if (item.name === 'obj_player_info') scores.set(item.fields.client_id ?? item.id, item.fields.score);
        else names.set(item.id, item.fields.name);
      }
    } else if (entry.record === 'message') {
      const { name, fields } = messageOf(entry.message);
      if (name === 'sv_chat') add('events', 'li', `${names.get(fields.client_id) ?? 'server'}: ${fields.message}`);
    }
  });
  for (const [id, score] of scores) add('players', 'tr', `${names.get(id) ?? id}: ${score}`);
}

function add(id, tag, text) {
  element(id).appendChild(document.createElement(tag)).textContent = text;
}
