import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import type { AccountVersion } from '../account-versions.ts';
import type { Address } from '../address.ts';
import type { World } from '../genesis/world.ts';
import type { LedgerStart } from '../ledger.ts';
import { replace, revive } from './journal-entry.ts';

/** Changes whenever an older file could be misread. */
const FORMAT = 1;

export type Snapshot = {
  readonly tip: number;
  readonly unixSeconds: number;
  /** Where history stood; absent in files of releases that took it from the journal alone. */
  readonly history?: LedgerStart;
  /** The journal that continues this snapshot, and how many of its bytes are already inside. */
  readonly journalName: string;
  readonly journalBytes: number;
  readonly world: World;
  readonly versions: readonly (readonly [Address, readonly AccountVersion[]])[];
  readonly machine: Uint8Array;
};

/** Replaces the earlier snapshot, all or nothing. */
export function writeSnapshot(path: string, snapshot: Snapshot): void {
  const { machine, ...head } = snapshot;
  const checksum = createHash('sha256').update(machine).digest('hex');
  const line = Buffer.from(`${JSON.stringify({ format: FORMAT, checksum, ...head }, replace)}\n`);
  const body = Buffer.concat([line, machine]);
  const file = openSync(`${path}.tmp`, 'w', 0o600);
  try {
    for (let at = 0; at < body.length; ) at += writeSync(file, body, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.tmp`, path);
}

/** Throws, naming the fault, when the file is damaged or of another release. */
export function readSnapshot(path: string): Snapshot {
  const bytes = readFileSync(path);
  const end = bytes.indexOf(10);
  if (end === -1) throw new SyntaxError('the snapshot has no head');
  const { format, checksum, ...head } = JSON.parse(bytes.toString('utf8', 0, end), revive) as Omit<
    Snapshot,
    'machine'
  > & { format: unknown; checksum: unknown };
  if (format !== FORMAT)
    throw new SyntaxError(`the snapshot has format ${String(format)}, expected ${FORMAT}`);
  const machine = new Uint8Array(bytes.subarray(end + 1));
  if (createHash('sha256').update(machine).digest('hex') !== checksum) {
    throw new SyntaxError('the snapshot does not match its checksum');
  }
  return { ...head, machine };
}
