import { type Address, SOL_DECIMALS } from '@tradepost/solana';
import type { Config } from '../config/index.ts';
import { formatUnits } from '../core/amounts/decimal.ts';
import type { Chain } from '../platform/ports/chain.ts';
import type { LocalWorld } from './open-world.ts';
import type { RunningApi } from './start-api.ts';

/**
 * Tells the operator where to look, and other programs on this machine through `run.json`, once everything answers.
 */
export async function announce(input: {
  readonly config: Config;
  readonly world: LocalWorld | null;
  readonly chain: Pick<Chain, 'balance' | 'rentExemption'>;
  readonly treasury: Address;
  readonly api: RunningApi | null;
  readonly print: (line: string) => void;
}): Promise<void> {
  const { config, world, chain, treasury, api, print } = input;
  const [balance, minimum] = await Promise.all([chain.balance(treasury), chain.rentExemption(0)]);
  if (balance < minimum) {
    print(
      `Treasury ${treasury} holds ${formatUnits(balance, SOL_DECIMALS)} SOL. Fund it with at least 0.01 SOL: until then trades carry no platform fee and rewards wait.`,
    );
  }
  if (world?.telegram) print(`Chat page   ${world.telegram.chatUrl}`);
  if (world?.mail) {
    const form = api === null ? '' : `   (ask for an API key at ${api.openUrl}/keys)`;
    print(`Inbox       ${world.mail.mailUrl}${form}`);
  }
  if (api !== null) {
    print(`Markets     ${api.openUrl}/   (prices, charts and token pages in a browser)`);
    print(`REST API    ${api.openUrl}/docs`);
    print(
      api.proUrl === null
        ? 'Pro API     not served: set API_KEY_SECRET to 64 hexadecimal digits.'
        : `Pro API     ${api.proUrl}   (needs an x-api-key)`,
    );
    if (api.chartUrl !== null) print(`Charts      ${api.chartUrl}   (datafeed for charting libraries)`);
  }
  if (world?.chain) print(`Solana RPC  ${world.chain.rpcUrl}   (WebSocket ${world.chain.wsUrl})`);
  // Before the word "ready": a program that waits for it may read the file at once.
  world?.publish({
    openApiUrl: api?.openUrl ?? null,
    proApiUrl: api?.proUrl ?? null,
    chartUrl: api?.chartUrl ?? null,
  });
  const local = world === null ? '' : ` Ctrl-C stops it; state is kept in ${config.local.dir}.`;
  print(`Tradepost is ready (${config.roles.join(', ')}).${local}`);
}
