import { createCertificateRows } from '../../src/engine/signing/store/certificate-rows.ts';
import { adoptRows } from '../../src/engine/signing/use/adopt-rows.ts';
import { createVault } from '../../src/platform/vault/create-vault.ts';
import type { Io } from './command.ts';
import { openRing } from './journal-here.ts';
import { openDatabase } from './open.ts';
import { recordAct } from './operator.ts';
import { UsageError } from './ops-error.ts';

/**
 * Prints which people, wallets and open orders have no certificate, or a wrong one, and with `yes` certifies the older rows. Rows that lost
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
    const found = await adoptRows({ rows, certifier, keys }, { write: false });
    const { people, wallets, orders, receivings, left, forged } = found;
    print(`${people} people, ${wallets} wallets and ${orders} open orders have no certificate`);
    if (receivings > 0) print(`${receivings} choices of a wallet for payouts or deposits have none`);
    for (const { id, address } of left)
      print(`LEFT wallet ${id} ${address}: its sealed key does not open, or is of another address or person`);
    for (const { table, row } of forged) print(`FORGED ${table} ${row}: its certificate is of other facts`);
    const wrong = left.length + forged.length > 0 ? 1 : 0;
    if (people + wallets + orders + receivings === 0) return wrong;
    const isFirst =
      (people + wallets === 0 || first.keys) &&
      (orders === 0 || first.orders) &&
      (receivings === 0 || first.receivings);
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
    await adoptRows({ rows, certifier, keys }, { write: true });
    await recordAct(db, 'operator-command', {
      command: 'trust adopt',
      words: [`${people} people`, `${wallets} wallets`, `${orders} orders`, `${receivings} choices`],
    });
    print('They are certified.');
    return wrong;
  } finally {
    await close();
  }
}
