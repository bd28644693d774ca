/** `npm run ops -- local orphans`: embedded databases whose state folder cannot be seen. No start ever removes one. */
import { deleteOrphan, listOrphans, moveAside, moveBack } from '../../src/local/postgres/elsewhere.ts';
import type { Io } from './command.ts';
import { OpsError, UsageError } from './ops-error.ts';

type Options = {
  readonly aside: string | undefined;
  readonly back: string | undefined;
  readonly delete: string | undefined;
};

/** Lists them, or carries one act out on the one that was named. 1 when there is one left. */
export async function localOrphans(io: Io, { aside, back, delete: gone }: Options): Promise<number> {
  if ([aside, back, gone].filter((one) => one !== undefined).length > 1)
    throw new UsageError('local orphans: expected one of --aside, --back and --delete.');
  try {
    if (aside !== undefined) io.print(`moved aside: ${await moveAside(aside, Date.now())}`);
    if (back !== undefined) io.print(`put back: ${await moveBack(back)}`);
    if (gone !== undefined) {
      await deleteOrphan(gone);
      io.print(`deleted: ${gone}`);
    }
  } catch (error) {
    throw new OpsError(error instanceof Error ? error.message : String(error));
  }
  const orphans = await listOrphans();
  for (const { name, dir, tied, isRunning } of orphans)
    io.print(
      `${name}  ${dir ?? 'of an unknown folder'}  ${tied}${isRunning ? ', a Postgres runs on it' : ''}`,
    );
  return orphans.length === 0 ? 0 : 1;
}
