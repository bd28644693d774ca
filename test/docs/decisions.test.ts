import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);
const pages = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .toSorted();
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
const ROW = /^\| (\d{4}) \| (\S+) \| \[(.+)\]\((\S+\.md)\) \| (\S+) \|$/gm;

it('the index has every decision once, under its title, date and number, in the order of each subject', () => {
  const [, ...subjects] = read('README.md').split(/^## /m);
  const rows = subjects.map((subject) => [...subject.matchAll(ROW)]);
  const names = rows.flat().map(([, , , , name = '']) => name);
  expect(names.toSorted(byText)).toEqual(pages);
  for (const ofSubject of rows) {
    const numbers = ofSubject.map(([, number = '']) => number);
    expect(numbers).toEqual(numbers.toSorted(byText));
    for (const [, number, date, title, name = '', status = ''] of ofSubject) {
      expect(name.startsWith(`${number}-`)).toBe(true);
      const [first, , second = ''] = read(name).split('\n');
      expect(first).toBe(`# ${title}`);
      expect(second.startsWith(`${date} · ${status}`), name).toBe(true);
    }
  }
});

it('what is superseded names a page that is there', () => {
  for (const name of pages) {
    for (const [, target = ''] of read(name).matchAll(/superseded by \[[^\]]*\]\(([^)]*)\)/g))
      expect(pages, name).toContain(target);
  }
});
