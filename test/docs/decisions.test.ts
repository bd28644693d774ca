import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);
const pages = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .toSorted();
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

it('every decision stands in the index once, under its title, date and number', () => {
  const rows = [
    ...read('README.md').matchAll(/^\| (\d{4}) \| (\S+) \| \[(.+)\]\((\S+\.md)\) \| (\S+) \|$/gm),
  ];
  expect(rows.map(([, , , , name]) => name)).toEqual(pages);
  rows.forEach(([, number, date, title, name = '', status = ''], index) => {
    expect(Number(number)).toBeGreaterThan(Number(rows[index - 1]?.[1] ?? 0));
    expect(name.startsWith(`${number}-`)).toBe(true);
    const [first, , second = ''] = read(name).split('\n');
    expect(first).toBe(`# ${title}`);
    expect(second.startsWith(`${date} · ${status}`), name).toBe(true);
  });
});

it('what is superseded names a page that is there', () => {
  for (const name of pages) {
    for (const [, target = ''] of read(name).matchAll(/superseded by \[[^\]]*\]\(([^)]*)\)/g))
      expect(pages, name).toContain(target);
  }
});
