import type { Address } from '@tradepost/solana';
import type { Config } from '../config/index.ts';
import { feesOf } from '../engine/fees/rules/fee-table.ts';
import { SECOND_FACTOR_PATH } from '../modules/guard/api/serve-second-factor.ts';
import { loadChart } from '../modules/market/use/load-chart.ts';
import { storePicture } from '../modules/mint/use/store-picture.ts';
import { PERSON_LIMIT } from '../platform/telegram/middleware/rate-limit.ts';
import { createBot, type RunningBot } from './bot.ts';
import type { Facts } from './make-world.ts';
import type { LocalWorld } from './open-world.ts';
import type { Start } from './role.ts';
import type { Services } from './services.ts';

const MAINNET_EXPLORER = 'https://explorer.solana.com/tx/{signature}';
const LOCAL_BOT_NAME = 'Tradepost';

/** The bot of this process; nothing runs yet. Each process has one, for a worker delivers notices by it. */
export function makeBot(start: Start, services: Services, facts: Facts, telegramToken: string): RunningBot {
  const { config, local, adapters, site, log } = start;
  const fundPlayMoney = local?.chain?.airdrop;
  return createBot({
    ...adapters,
    ...services,
    log: log.child({ module: 'bot' }),
    nudge: () => services.relay.nudge(),
    tokens: facts.tokens,
    loadChart: (wanted) => loadChart({ market: facts.market, clock: adapters.clock }, wanted),
    launchReads: adapters,
    roundUrl: (id) => (site.url === null ? null : `${site.url}/games/${id}`),
    storePicture: (bytes) => storePicture(adapters, bytes),
    secondFactorUrl: (token) => secondFactorUrl(site.url, token),
    passportUrl: (mint) => (site.url === null ? null : `${site.url}/token/${mint}`),
    ...(fundPlayMoney === undefined
      ? {}
      : { faucet: async (to: Address, lamports: bigint) => void (await fundPlayMoney(to, lamports)) }),
    options: {
      token: telegramToken,
      ...apiRootOf(config, local),
      name: LOCAL_BOT_NAME,
      transport: config.bot,
      maxWallets: config.maxWallets,
      fees: feesOf(config.feeTable),
      referralRequiredFor: config.referralRequiredFor,
      codeNeedsVoucher: config.codeNeedsVoucher,
      games: config.games,
      convert: config.convert,
      payoutMinLamports: config.payoutMinLamports,
      payoutsLamports: config.payoutsLamports,
      explorerUrl: explorerUrl(start),
      sourceUrl: config.sourceUrl,
      rateLimit: { ...PERSON_LIMIT, updates: config.chatUpdates },
    },
  });
}

/** The page of a transaction, with `{signature}` in it. */
export function explorerUrl({ config, local }: Pick<Start, 'config' | 'local'>): string {
  return (
    config.explorerUrl ??
    (local?.chain && local.telegram ? `${local.telegram.chatUrl}tx/{signature}` : MAINNET_EXPLORER)
  );
}

/** The local Telegram, the operator's own Bot API server, or Telegram's. */
function apiRootOf(config: Config, local: LocalWorld | null): { readonly apiRoot?: string } {
  const apiRoot = local?.telegram?.botApiUrl ?? config.botApiRoot;
  return apiRoot === null ? {} : { apiRoot };
}

/** Where a chat with the bot opens. The local one is a page of this machine. */
export function botUrl(username: string | null, payload: string, local: LocalWorld | null): string | null {
  const query = payload === '' ? '' : `start=${payload}`;
  if (local?.telegram) return `${local.telegram.chatUrl}${query === '' ? '' : `#${query}`}`;
  if (username === null) return null;
  return `https://t.me/${username}${query === '' ? '' : `?${query}`}`;
}

/** A secret goes over TLS, or does not leave this machine. */
function secondFactorUrl(site: string | null, token: string): string | null {
  if (site === null) return null;
  const { protocol, hostname } = new URL(site);
  const isSafe = protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
  return isSafe ? `${site}${SECOND_FACTOR_PATH}/${token}` : null;
}
