import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = join('node_modules', 'dejavu-fonts-ttf', 'ttf');

/**
 * Font files that come with the program: a bare server has none. Letters of scripts that they lack (Chinese, Japanese, most
 * emoji) are drawn with the machine's own fonts where it has some, else as boxes.
 */
export function fontFile(name: 'DejaVuSans' | 'DejaVuSans-Bold' | 'DejaVuSansMono'): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, FOLDER, `${name}.ttf`);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) throw new Error(`${name}.ttf is missing: run "npm ci"`);
  }
}
