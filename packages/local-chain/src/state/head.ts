import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';

const BYTES = 40;

export type Head = { readonly slot: number; readonly unixSeconds: number };

/** The newest open slot, rewritten in place: a restart must not go back behind a slot that clients have seen. */
export interface HeadFile {
  write(head: Head): void;
  close(): void;
}

export function openHead(path: string): HeadFile {
  const file = openSync(path, existsSync(path) ? 'r+' : 'w+', 0o600);
  return {
    write: ({ slot, unixSeconds }) => {
      writeSync(file, `${slot} ${unixSeconds} `.padEnd(BYTES - 1).concat('\n'), 0);
    },
    close: () => closeSync(file),
  };
}

/** Null when there is no readable head; the journal then knows the newest slot that mattered. */
export function readHead(path: string): Head | null {
  if (!existsSync(path)) return null;
  const [slot, unixSeconds] = readFileSync(path, 'utf8').split(' ').map(Number);
  if (!Number.isSafeInteger(slot) || !Number.isSafeInteger(unixSeconds)) return null;
  return { slot: slot ?? 0, unixSeconds: unixSeconds ?? 0 };
}
