/** Lamports and token units in one pool. */
export type Reserves = { readonly sol: bigint; readonly token: bigint };
/** One believed slot, and every pool that trades the token in it. */
export type Frame = { readonly slot: number; readonly pools: ReadonlyMap<string, Reserves> };

export class PathError extends Error {}

/** Ten seconds of slots: nobody saw what lies between two lines that are further apart. */
const HALT_SLOTS = 25;
const MOST_FRAMES = 20_000;
const WHOLE = /^\d{1,19}$/;

/**
 * Reads a recorded path: lines of `slot,pool,reserveA,reserveB`, reserveA in lamports and reserveB in units of the token, `#` for
 * remarks. A line says how a pool is from its slot on; `0,0` takes it away. Slots between two lines passed without a change, unless
 * more than 25 of them did: then the chain stood still, or nobody read it. Throws PathError with the line for anything else.
 */
export function readPath(text: string): readonly Frame[] {
  const frames: Frame[] = [];
  let pools = new Map<string, Reserves>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const row = rowOf(line, index + 1);
    const last = frames.at(-1);
    if (last !== undefined && row.slot < last.slot)
      throw new PathError(`line ${index + 1}: slot ${row.slot} comes after slot ${last.slot}`);
    if (last !== undefined && row.slot > last.slot + 1 && row.slot - last.slot <= HALT_SLOTS)
      for (let slot = last.slot + 1; slot < row.slot; slot += 1) frames.push({ slot, pools });
    pools = new Map(pools);
    if (row.sol === 0n) pools.delete(row.pool);
    else pools.set(row.pool, { sol: row.sol, token: row.token });
    if (frames.at(-1)?.slot === row.slot) frames.pop();
    frames.push({ slot: row.slot, pools });
    if (frames.length > MOST_FRAMES) throw new PathError(`a path has at most ${MOST_FRAMES} slots`);
  }
  if (frames.length < 2 || (frames[0]?.pools.size ?? 0) === 0)
    throw new PathError('expected at least two slots, the first with a pool: slot,pool,reserveA,reserveB');
  return frames;
}

function rowOf(line: string, at: number): Reserves & { readonly slot: number; readonly pool: string } {
  const cells = line.split(',').map((cell) => cell.trim());
  const [slot = '', pool = '', sol = '', token = ''] = cells;
  const isRow = cells.length === 4 && pool !== '' && [slot, sol, token].every((cell) => WHOLE.test(cell));
  if (!isRow)
    throw new PathError(`line ${at}: expected slot,pool,reserveA,reserveB, got "${line.slice(0, 60)}"`);
  if ((sol === '0') !== (token === '0'))
    throw new PathError(`line ${at}: one reserve is zero, the other is not`);
  return { slot: Number(slot), pool, sol: BigInt(sol), token: BigInt(token) };
}
