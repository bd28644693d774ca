import { createHash } from 'node:crypto';
import { createAuditStore } from '../../src/adapters/db/audit-store.ts';
import { checkChain } from '../../src/services/audit-log/check-chain.ts';
import { audit } from '../../src/services/operations/audit.ts';
import type { Io } from './command.ts';
import { openChain, openDatabase } from './open.ts';

/** Recomputes the books and compares them with the chain, and the audit log's own chain; prints each mismatch. 1 when there is one. */
export async function runAudit(io: Io, options: { readonly booksOnly: boolean }): Promise<number> {
  const { print } = io;
  const { db, close } = await openDatabase(io, 'in-use');
  try {
    const treasury = await db.wallets.treasury();
    const side = options.booksOnly || treasury === null ? null : openChain(io.config());
    const result = await audit({
      books: createAuditStore(db.query),
      chain:
        side === null || treasury === null
          ? null
          : {
              landed: (signature) => side.chain.landed(signature),
              history: side.history,
              treasury: treasury.address,
            },
    });
    const trail = await checkChain(db.auditLog, (text) =>
      createHash('sha256').update(text, 'utf8').digest('hex'),
    );
    const mismatches = [...result.mismatches, ...trail.mismatches];
    for (const { rule, subject, detail } of mismatches) print(`${rule.padEnd(16)} ${subject}: ${detail}`);
    const chain =
      side === null
        ? 'the chain was not asked'
        : `${result.compared} bookings compared with the chain, ${result.walked} of the treasury's transactions walked`;
    print(
      `${mismatches.length} mismatches in ${result.intents} intents, ${result.transfers} transfers and ${result.accounts} accounts; ${chain}`,
    );
    if (treasury !== null) print(`treasury ${treasury.address}`);
    print(`audit log: ${trail.acts} acts, head ${trail.head}`);
    return mismatches.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}
