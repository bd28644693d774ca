import { createCertificateRows } from '../../src/engine/signing/store/certificate-rows.ts';
import { adoptRows } from '../../src/engine/signing/use/adopt-rows.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import type { Io } from './command.ts';
import { periodText, sol } from './convert.ts';
import { guardVersions, journalHere, openRing, paidByJournal } from './journal-here.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { UsageError } from './ops-error.ts';

/**
 * Prints which people, wallets, open orders and copies have no certificate, or a wrong one, and with `yes` certifies the older rows. Rows that lost
 * theirs after the others got one were changed: `again` means that the operator looked at each. 1 when a row stays without a right one.
 */
export async function trustAdopt(
  io: Io,
  { yes, again }: { readonly yes: boolean; readonly again: boolean },
): Promise<number> {
  const { print } = io;
  if (again && !yes) throw new UsageError('--again goes with --yes: it certifies rows after a look at each.');
  const { db, close } = await openDatabase(io, 'schema');
  try {
    const { keyring, certifier } = await openRing(io, db);
    const rows = createCertificateRows(db.query);
    const keys = createVault({ keyring, secrets: db.wallets, venuePrograms: [] });
    const first = await rows.unadopted();
    const journal = await journalHere(io, db);
    const deps = {
      rows,
      certifier,
      keys,
      now: Date.now(),
      known: await guardVersions(journal),
      journal: await paidByJournal(journal),
    };
    const found = await adoptRows(deps, { write: false, again });
    const {
      people,
      wallets,
      orders,
      receivings,
      guards,
      addresses,
      copies,
      periods,
      stale,
      left,
      forged,
      older,
    } = found;
    print(`${people} people, ${wallets} wallets and ${orders} open orders have no certificate`);
    if (receivings > 0) print(`${receivings} choices of a wallet for payouts or deposits have none`);
    if (guards > 0) print(`${guards} guards have none`);
    if (addresses > 0) print(`${addresses} addresses of books have none`);
    if (copies > 0) print(`${copies} mandates of copies have none: no release wrote such a row`);
    for (const { period, uncountedLamports } of periods)
      print(
        `PERIOD ${periodText(period, deps.now)}, ${sol(uncountedLamports)} of it paid before: look whether you announced it so`,
      );
    for (const number of stale)
      print(
        `OLDER convert_periods ${number}: its certificate is from before this journal of the signer; nothing is paid from it`,
      );
    for (const { id, address } of left)
      print(`LEFT wallet ${id} ${address}: its sealed key does not open, or is of another address or person`);
    for (const { table, row } of forged) print(`FORGED ${table} ${row}: its certificate is of other facts`);
    for (const userId of older)
      print(`OLDER guards ${userId}: the signer certified a later one; this one was put back or restored`);
    const misfits = again
      ? forged.filter(({ table }) => table !== 'guards' && table !== 'convert_periods')
      : [...forged, ...older, ...stale];
    const wrong = left.length + misfits.length > 0 ? 1 : 0;
    if (people + wallets + orders + receivings + guards + addresses + copies + periods.length === 0) {
      if (older.length + stale.length > 0)
        print('Look at each; --yes --again certifies guards and periods as their rows are.');
      return wrong;
    }
    const isFirst =
      (people + wallets === 0 || first.keys) &&
      (orders === 0 || first.orders) &&
      (receivings === 0 || first.receivings) &&
      (guards === 0 || first.guards) &&
      (addresses === 0 || first.addresses) &&
      (periods.length === 0 || first.periods) &&
      copies === 0;
    if (!isFirst && !again) {
      print(
        'Others have one: somebody wrote or changed these rows. Look at each; --yes --again certifies them.',
      );
      return 1;
    }
    if (!yes) {
      print('Nothing was written. With --yes they get one; no process of the service may run meanwhile.');
      return wrong;
    }
    await adoptRows(deps, { write: true, again });
    await recordAct(db, 'operator-command', {
      command: 'trust adopt',
      words: [
        `${people} people`,
        `${wallets} wallets`,
        `${orders} orders`,
        `${receivings} choices`,
        `${guards} guards`,
        `${addresses} addresses`,
        `${copies} copies`,
        `${periods.length} periods`,
      ],
    });
    print('They are certified.');
    return wrong;
  } finally {
    await close();
  }
}
