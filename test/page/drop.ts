import type { Opened } from '../support/browser.ts';

/** Drops files on the page, as a file manager does. */
export async function drop({ page }: Opened, ...files: readonly [name: string, bytes: Uint8Array][]): Promise<void> {
  await page.evaluate(
    (all) => {
      delete document.documentElement.dataset.state;
      const data = new DataTransfer();
      for (const [name, base64] of all) {
        const contents = Uint8Array.from(atob(base64!), (char) => char.charCodeAt(0));
        data.items.add(new File([contents], name!));
      }
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    },
    files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]),
  );
}
