import { readFileSync } from 'node:fs';

/** The table "What is kept" of docs/operations.md. */
export function retentionTable(): readonly {
  readonly name: string;
  readonly kept: string;
  readonly by: string;
}[] {
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const [, rest = ''] = page.split('| Table | Kept | Removed by |\n|---|---|---|\n');
  const [rows = ''] = rest.split('\n\n');
  return rows.split('\n').map((row) => {
    const [, name = '', kept = '', by = ''] = row.split('|').map((cell) => cell.trim());
    return { name: name.replaceAll('`', ''), kept, by };
  });
}
