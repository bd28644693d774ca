import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { SNAPSHOT_VERSION } from './core/snapshot.ts';
import { type Patch, patchBetween, patched, type Shape, type Written, writtenOf } from './patch.ts';

/** A state on the disk: a line with the whole of it, then a line for each change. */
export interface StateFile<T> {
  /** On return a process that opens the file finds this state. Calls must not overlap. */
  readonly write: (state: T) => Promise<void>;
}

/** Changes are appended until they weigh this much more than the state itself; then the file is written anew. */
const CHANGES_PER_STATE = 2;
const MIN_CHANGES_BYTES = 64 * 1024;

/** `path` has no ending. The first write begins the file anew, and with it ends the file of an earlier release. */
export function openStateFile<T extends object>(path: string, shape: Shape<T>): StateFile<T> {
  let written: Written | undefined;
  let stateBytes = 0;
  let changesBytes = 0;

  async function begin(state: T): Promise<void> {
    const line = `${JSON.stringify(state)}\n`;
    await replaceFile(`${path}.jsonl`, line);
    await rm(`${path}.json`, { force: true });
    stateBytes = line.length;
    changesBytes = 0;
  }

  return {
    write: async (state) => {
      const before = written;
      const after = writtenOf(shape, state);
      // A write that fails may leave half a line, behind which nothing can be read: the next one begins anew.
      written = undefined;
      const patch = before === undefined ? null : patchBetween(before, after);
      if (
        before === undefined ||
        changesBytes > Math.max(MIN_CHANGES_BYTES, CHANGES_PER_STATE * stateBytes)
      ) {
        await begin(state);
      } else if (patch !== null) {
        const line = `${JSON.stringify(patch)}\n`;
        await appendFile(`${path}.jsonl`, line);
        changesBytes += line.length;
      }
      written = after;
    },
  };
}

/**
 * The state that was last written whole, undefined when there is none or it is of another version: the state of a test tool
 * is not worth refusing to start. A last line that death cut short is ignored. `path` has no ending.
 */
export async function readStateFile<T extends object>(path: string, shape: Shape<T>): Promise<T | undefined> {
  const text = await readIfThere(`${path}.jsonl`);
  // Before the journal there was one file with the whole state and no line end.
  if (text === undefined) return parseState<T>(await readIfThere(`${path}.json`));
  const [first, ...lines] = text.split('\n').slice(0, -1);
  const base = parseState<T>(first);
  if (base === undefined) return undefined;
  const patches: Patch[] = [];
  for (const line of lines) {
    const patch = parseJson<Patch>(line);
    if (patch === undefined) break;
    patches.push(patch);
  }
  return patched(shape, base, patches);
}

/** Puts the data in the file's place, all or nothing. */
export async function replaceFile(path: string, data: string | Uint8Array): Promise<void> {
  const beside = `${path}.new`;
  await writeFile(beside, data, { mode: 0o600 });
  await rename(beside, path);
}

export async function readIfThere(path: string): Promise<string | undefined> {
  return await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Undefined for a text that is no JSON. */
export function parseJson<T>(text: string | undefined): T | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

function parseState<T>(text: string | undefined): T | undefined {
  const data = parseJson<T & { readonly version?: number }>(text);
  return data?.version === SNAPSHOT_VERSION ? data : undefined;
}
