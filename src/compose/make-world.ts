import { type Address, WSOL_MINT } from '@tradepost/solana';
import type { Config } from '../config/index.ts';
import { address } from '../core/address/address.ts';
import { feesOf } from '../engine/fees/rules/fee-table.ts';
import { NOTICE_LETTERS } from '../modules/guard/chat/mail-letters.ts';
import { guardRulesOf } from '../modules/guard/rules/guard-rules.ts';
import { createTokenAge } from '../modules/guard/use/token-age.ts';
import { launchProgress } from '../modules/launch/use/launch-progress.ts';
import { createUsdPrices } from '../modules/market/use/load-usd-prices.ts';
import { createMarketData, type MarketData } from '../modules/market/use/market-data.ts';
import { createTokenData, type TokenData } from '../modules/market/use/token-data.ts';
import { hubMints, MAINNET_GENESIS, wellKnownTokens } from '../modules/tokens/rules/well-known.ts';
import { createAggregatorQuotes } from '../modules/trading/use/aggregator-quotes.ts';
import { createSourceCounter } from '../modules/trading/use/count-sources.ts';
import type { Wallet } from '../modules/wallets/rules/wallet.ts';
import { createHmacSecrets } from '../platform/api-keys/hmac-secrets.ts';
import { secretFromFile, secretFromText } from '../platform/api-keys/secret-file.ts';
import { pause } from '../platform/clock/clock.ts';
import { createSeedFile } from '../platform/files/seed-file.ts';
import { readVerifiedTokens } from '../platform/files/verified-tokens.ts';
import { createSmtpMailer } from '../platform/mail/smtp-mailer.ts';
import type { ApiKeySecrets } from '../platform/ports/api-key-secrets.ts';
import { createWebhookSender } from '../platform/webhooks/webhook-sender.ts';
import type { Start } from './role.ts';
import type { World } from './world.ts';

const LOCAL_SENDER = 'Tradepost <keys@tradepost.local>';

/** The market data and the facts of tokens, as every role of this process reads them. */
export type Facts = { readonly market: MarketData; readonly tokens: TokenData };

/** The world of a process that plays these roles, and the facts of the market beside it. The names of the chain's own tokens are part of it. */
export function makeWorld(
  start: Start,
  chain: { readonly treasury: Wallet; readonly genesisHash: string },
): { readonly world: World; readonly facts: Facts } {
  const { config, local, adapters, log, stops } = start;
  const { treasury, genesisHash } = chain;
  const usdMint = local?.chain?.usdMint ?? config.usdMint;
  const usd = usdMint === null ? null : address(usdMint);
  const isMainnet = genesisHash === MAINNET_GENESIS;
  const wellKnown = [
    ...wellKnownTokens(isMainnet, usd),
    ...readVerifiedTokens(config.market.verifiedTokensFile),
  ];
  const hubs = hubMints(isMainnet, usd);
  const market = createMarketData({
    ...adapters,
    feed: adapters.marketFeed,
    dollars: hubs.filter((mint) => mint !== WSOL_MINT),
  });
  stops.push(async () => market.stop());
  const world: World = {
    ...adapters,
    keys: keyWiring(start),
    webhookSender: createWebhookSender({ allowsLoopback: local?.chain != null }),
    usdPrices: createUsdPrices({ market }),
    log: log.child({ module: 'engine' }),
    pause,
    owner: adapters.ids.ulid(),
    treasury,
    fees: feesOf(config.feeTable),
    referralRequiredFor: config.referralRequiredFor,
    payoutMinLamports: config.payoutMinLamports,
    guardRules: guardRulesOf(config, local?.chain != null),
    maxWallets: config.maxWallets,
    autoSpendCapLamports: config.orders.capLamports,
    copyTrading: config.copyTrading,
    personalKeysHost: config.personalKeysHost,
    ordersPerSecond: config.orders.looksPerSecond,
    usdMint: usd,
    wellKnown,
    seededMints: (local?.chain?.tokens ?? []).map((mint) => address(mint)),
    ...aggregatorQuotesOf(start, hubs),
    hubs,
    poolSeeds: config.market.poolSeedsFile === null ? null : createSeedFile(config.market.poolSeedsFile),
    maxStateAgeMs: config.api.quoteMaxAgeMs,
  };
  return { world, facts: { market, tokens: tokensOf(start, world, market) } };
}

function tokensOf({ adapters }: Start, world: World, market: MarketData): TokenData {
  const seeded = new Set(world.seededMints);
  const isOldOnChain = createTokenAge(adapters);
  return createTokenData({
    ...adapters,
    market,
    wellKnown: world.wellKnown,
    isOld: async (mint) => seeded.has(mint) || (await isOldOnChain(mint)),
    launchOf: (mint) => launchProgress(adapters, mint),
  });
}

/** Keys by request and mail. */
function keyWiring({ config, local, adapters, site }: Start): World['keys'] {
  const mail = config.mail ?? (local?.mail ? { url: local.mail.smtpUrl, from: LOCAL_SENDER } : null);
  return {
    mailer: mail === null ? null : createSmtpMailer(mail),
    tokens: adapters.linkTokens,
    secrets: keySecrets(config),
    keyMail: config.keyMail,
    siteUrl: () => site.url,
    letters: NOTICE_LETTERS,
    operators:
      config.operators.size === 0 && local?.telegram ? new Set([local.telegram.operator]) : config.operators,
    maxRate: config.api.keyMaxRate,
  };
}

/** The secrets that hash keys; null without a secret: no pro host then. */
function keySecrets({ api, production, local }: Config): ApiKeySecrets | null {
  if (api.keySecret !== null) return createHmacSecrets(secretFromText(api.keySecret, 'API_KEY_SECRET'));
  const kept = production ? null : secretFromFile(`${local.dir}/api-key-secret`);
  return kept === null ? null : createHmacSecrets(kept);
}

/** Aggregators as competitors, where any is switched on, counted until `stops` end. */
function aggregatorQuotesOf(
  { config, adapters, stops, log: logs }: Start,
  hubs: readonly Address[],
): Pick<World, 'aggregatorQuotes'> {
  const { majorsAlone } = config.aggregators;
  if (adapters.aggregators.length === 0) return {};
  const log = logs.child({ module: 'aggregators' });
  const sources = createSourceCounter({
    store: adapters.sourceCounts,
    clock: adapters.clock,
    onProblem: (err) => log.warn({ err }, 'counts of quotes could not be written down'),
  });
  stops.push(() => sources.flush());
  return { aggregatorQuotes: createAggregatorQuotes({ ...adapters, hubs, majorsAlone, sources, log }) };
}
