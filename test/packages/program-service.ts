import { createProgramDesk } from '../../src/modules/personal-keys/use/program-desk.ts';
import { personalKeyCheck } from '../../src/platform/certificate-check.ts';
import { createSignatureChecks } from '../../src/platform/chain/signature-checks.ts';
import { buildSite } from '../api/build-site.ts';
import { addedProgram } from '../api/program.ts';
import { startJourneyRig } from '../journeys/rig.ts';
import { fakeApiLimiter } from '../support/fakes/api-limiter.ts';

const SOL = 1_000_000_000n;
const DAY_MS = 86_400_000;

/**
 * The keyed host on loopback over the whole product: a person with SOL on the local chain, and a program's key of theirs with every right.
 * Trades and orders of the program are the product's own.
 */
export async function startProgramService(seed: string) {
  const rig = await startJourneyRig(seed, { spendCapLamports: 10n * SOL });
  const { wallet } = await rig.trader('Robin', 20n);
  const { app } = buildSite(
    { kind: 'pro', checkKey: async () => ({ kind: 'unknown' }), limiter: fakeApiLimiter() },
    {
      programDesk: createProgramDesk({
        db: rig.db,
        clock: rig.clock,
        signatureChecks: createSignatureChecks(),
        endOrder: rig.services.personalKeys.endOrder,
        makeTrade: rig.services.personalKeys.makeTrade,
        placeOrder: rig.services.personalKeys.placeOrder,
        isCertified: personalKeyCheck(await rig.vault.certificateKey()),
        log: rig.log,
      }),
      clock: rig.clock,
    },
  );
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const program = await addedProgram(
    rig.db,
    { userId: wallet.userId ?? '', walletId: wallet.id },
    {
      until: rig.clock.now() + DAY_MS,
      host: new URL(url).host,
      terms: {
        rights: ['read', 'trade', 'orders', 'place'],
        orderLamports: SOL,
        dayLamports: SOL,
        tokens: null,
        ips: null,
      },
    },
  );
  return {
    rig,
    program,
    url,
    mint: rig.token('PUP').mint,
    stop: async () => {
      await app.close();
      await rig.stop();
    },
  };
}
