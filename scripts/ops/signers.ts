/** `npm run ops -- signers …`: which of several signers signs. */

import { createSignerLeases } from '../../src/engine/signing/store/signer-lease.ts';
import type { LeaseRow } from '../../src/engine/signing/store/signer-lease-port.ts';
import type { Io } from './command.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { UsageError } from './ops-error.ts';

const NAME = /^[A-Za-z0-9.-]{1,64}$/;

/** Prints the lease. 1 when no signer holds it, no copy has every line, or one may lack some. */
export async function signersStatus(io: Io): Promise<number> {
  const { db, close } = await openDatabase(io);
  try {
    const lease = await createSignerLeases(db.query).read();
    if (lease === null) {
      io.print('No signer with peers has started: there is no lease (docs/two-signers.md).');
      return 0;
    }
    for (const line of linesOf(lease)) io.print(line);
    const hasCopy = lease.level.length + lease.witnesses.length > 0;
    return lease.leftMs > 0 && hasCopy && lease.behind.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

function linesOf({ holder, epoch, leftMs, level, witnesses, behind }: LeaseRow): readonly string[] {
  const name = holder === '' ? 'none, by the word of an operator' : holder;
  return [
    `holder   ${name}, epoch ${epoch}${leftMs > 0 ? '' : ': its lease is over, so it signs nothing'}`,
    level.length > 0
      ? `standby  ${level.join(', ')}: every line, and may take the lease`
      : witnesses.length > 0
        ? 'standby  none has every line: when the holder fails, nothing is signed until it is back'
        : 'standby  none has every line: when the holder fails, nothing is signed until "signers give"',
    ...(witnesses.length > 0 ? [`witness  ${witnesses.join(', ')}: every line, and signs never`] : []),
    ...(behind.length > 0
      ? [`behind   ${behind.join(', ')}: may lack lines; the holder goes on without`]
      : []),
  ];
}

/** Ends the lease and lets one signer take it. 1 where there is no lease. */
export async function giveSigners(io: Io, name: string, reason: string | undefined): Promise<number> {
  if (!NAME.test(name))
    throw new UsageError(
      'signers give: expected the common name in a signer’s certificate, such as signer-b.',
    );
  const said = reason?.trim() ?? '';
  if (said === '' || said.length > 200)
    throw new UsageError('--reason: expected 1 to 200 characters, for the audit log.');
  const { db, close } = await openDatabase(io);
  try {
    return await db.transact(async (stores, query) => {
      const leases = createSignerLeases(query);
      const lease = await leases.read();
      if (lease === null) {
        io.print('There is no lease: no signer with peers has started.');
        return 1;
      }
      if (lease.witnesses.includes(name)) {
        io.print(`${name} is a witness: it has no key and signs never. Nothing was changed.`);
        return 1;
      }
      await leases.giveTo(name);
      await recordAct(stores, 'operator-command', { command: 'signers give', words: [name, said] });
      io.print(`${name} takes the lease within seconds, if it runs. "signers status" shows it.`);
      return 0;
    });
  } finally {
    await close();
  }
}
