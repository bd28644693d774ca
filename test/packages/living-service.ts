import { address } from '../../src/core/address/address.ts';
import { createHost } from '../../src/platform/http/create-host.ts';
import { buildApi } from '../api/build-api.ts';
import { addedProgram } from '../api/program.ts';
import { storedPerson } from '../conformance/store-rows.ts';
import { startDeskRig } from '../modules/trading/desk-rig.ts';

const BEAT_MS = 10;
const PROGRAM_MS = 30 * 86_400_000;
const TERMS = {
  rights: ['read', 'trade', 'orders', 'place'],
  orderLamports: 1n,
  dayLamports: 1n,
  tokens: null,
  ips: null,
} as const;

/**
 * Both hosts on loopback over a real local chain, where submissions come to their end by themselves: while one is under way, blocks
 * pass and it is looked at. The open host is that of a local world: it gives play SOL.
 */
export async function startLivingService(seed: string) {
  const rig = await startDeskRig(seed);
  const api = buildApi(rig);
  const { text: apiKey } = await api.issue({
    scopes: ['submit', 'swap', 'market'],
    ratePerSecond: 100_000,
    burst: 100_000,
  });
  const url = await api.pro.listen({ host: '127.0.0.1', port: 0 });
  const airdrop = async (to: string, lamports: bigint) => {
    await rig.airdrop(address(to), lamports);
    return { signature: 'of the faucet' };
  };
  const open = createHost({ ...api.deps, airdrop }, { kind: 'open', ratePerSecond: 1_000, burst: 1_000 });
  const openUrl = await open.listen({ host: '127.0.0.1', port: 0 });
  const { user, wallet } = await storedPerson(api.db);
  const program = await addedProgram(
    api.db,
    { userId: user.id, walletId: wallet.id },
    { until: api.deps.clock.now() + PROGRAM_MS, host: new URL(url).host, terms: TERMS },
  );
  let isLiving = true;
  const living = (async () => {
    while (isLiving) {
      await new Promise((resolve) => setTimeout(resolve, BEAT_MS));
      const [row] = await api.submissions.open(0, 1);
      if (row === undefined) continue;
      // No block passes before its bytes are sent, and few before it is seen: however slow this machine is, nothing expires.
      const slots = { received: 0, sent: 3 }[String(row.status)] ?? 40;
      if (slots > 0) rig.local.advanceSlots(slots);
      await api.follow();
      api.advance(slots === 40 ? 11_000 : 100);
    }
  })();
  return {
    rig,
    api,
    apiKey,
    /** A person's own program, with a key for the keyed host. */
    program,
    url,
    openUrl,
    /** Stops the service, then the chain. */
    stop: async () => {
      isLiving = false;
      await living;
      await open.close();
      await api.close();
      await rig.stop();
    },
  };
}

export type LivingService = Awaited<ReturnType<typeof startLivingService>>;
