import { z } from 'zod';
import { type Address, address, isAddress } from './core/address/address.ts';
import { AppError } from './core/errors/app-error.ts';
import { type FeeTable, feeTableWith, readDatedNumber } from './core/fees/fee-table.ts';
import { emailAddress } from './core/keys/email-address.ts';
import type { Deprecation, OrderBookLimits } from './core/market/terms.ts';
import { REFERRAL_ACTIONS, type ReferralAction } from './core/referrals/required-for.ts';
import { databaseUrlProblem, withPassword } from './database-url.ts';
import { SECRET_VARIABLES, withSecretFiles } from './secret-files.ts';

/** What a process may do. All shared state is in Postgres and the queue, so roles can run together or apart. */
export const ROLES = ['bot', 'worker', 'api', 'indexer', 'signer'] as const;
export type Role = (typeof ROLES)[number];
/** What one process does where nobody says more: everything, with the keys in it. */
const DEFAULT_ROLES: readonly Role[] = ['bot', 'worker', 'api', 'indexer'];

/** Other people's routers that may be asked. */
export const AGGREGATORS = ['jupiter', 'okx', 'raydium'] as const;

const url = (protocols: readonly string[], example: string) =>
  z.string().refine(
    (text) => {
      try {
        return protocols.includes(new URL(text).protocol);
      } catch {
        return false;
      }
    },
    { error: `expected a URL like ${example}` },
  );

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: `expected a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `expected a whole number from ${min} to ${max}`,
    });

/** A number that may change on given days. */
const dated = (min: number, max: number) => {
  const error = `expected a whole number from ${min} to ${max}, or several with the days they begin on, like ${min}, 2030-01-01=${max}`;
  return z.string().transform((text, problems) => {
    const read = readDatedNumber(text, { min, max });
    if (read === null) problems.addIssue({ code: 'custom', message: error });
    return read ?? z.NEVER;
  });
};

/** A comma list; each part is checked by `item` on its own. */
const list = <T extends string>(item: z.ZodType<T, string>) =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item).min(1));

const addressText = z.string().refine(isAddress, { error: 'expected a base58 address' });
/** `keys@example.org`, or `Tradepost <keys@example.org>`. */
const sender = z
  .string()
  .refine((text) => emailAddress(/^[^<>"\\,;:@\p{C}]{1,64} <([^<>]+)>$/u.exec(text)?.[1] ?? text) !== null, {
    error: 'expected an e-mail address, or a name with the address in angle brackets',
  });
const telegramId = z.string().regex(/^[1-9]\d{0,18}$/, { error: 'expected Telegram ids, like 123456789' });
const port = integer(0, 65_535);
/** Epoch milliseconds at which a day begins in UTC. */
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'expected a day like 2027-12-31' })
  .transform((text, problems) => {
    const at = Date.parse(`${text}T00:00:00Z`);
    if (Number.isNaN(at)) problems.addIssue({ code: 'custom', message: 'expected a day like 2027-12-31' });
    return at;
  });
/** Links made from it must stay within the 200 bytes that a token's metadata can hold. */
const publicUrl = url(['https:', 'http:'], 'https://desk.example.org')
  .refine((text) => !/[?#@]/.test(text), { error: 'expected no user, query or fragment' })
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => text.length <= 110, { error: 'expected at most 110 characters' });
/** Paths are appended to it. */
const botApiRoot = url(['https:', 'http:'], 'https://api.telegram.org')
  .refine((text) => !/[?#]/.test(text), { error: 'expected no query or fragment' })
  .transform((text) => text.replace(/\/+$/, ''));
const databaseUrl = z.string().superRefine((text, problems) => {
  const message = databaseUrlProblem(text);
  if (message !== null) problems.addIssue({ code: 'custom', message });
});
const clickHouseUrl = z
  .string()
  .refine(
    (text) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).pathname.length > 1,
    {
      error: 'expected http://user:password@host:8123/database',
    },
  );
const transitName = z
  .string()
  .regex(/^[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/, { error: 'expected letters, digits, _ and -' });

/**
 * Every variable the program reads, with its default. `.env.example` lists the same keys; a test compares the two.
 * An empty value counts as absent, so `KEY=` in an env file is harmless.
 */
export const ENVIRONMENT = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  ROLES: list(z.enum(ROLES)).default([...DEFAULT_ROLES]),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),

  TELEGRAM_BOT_TOKEN: z
    .string()
    .regex(/^\d+:[A-Za-z0-9_-]{30,}$/, { error: 'expected a token from @BotFather, like 123456:ABC…' })
    .optional(),
  BOT_MODE: z.enum(['polling', 'webhook']).default('polling'),
  BOT_API_ROOT: botApiRoot.optional(),
  WEBHOOK_URL: url(['https:'], 'https://bot.example.org/hook').optional(),
  WEBHOOK_SECRET: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,256}$/, { error: 'expected 16 to 256 characters of A–Z a–z 0–9 _ -' })
    .optional(),
  WEBHOOK_PORT: port.default(8443),

  SOLANA_RPC_URL: list(url(['http:', 'https:'], 'https://api.mainnet-beta.solana.com')).optional(),
  SOLANA_WS_URL: list(url(['ws:', 'wss:'], 'wss://api.mainnet-beta.solana.com')).optional(),
  HOT_POOLS: integer(0, 500).default(32),
  INDEX_SOURCE: z.enum(['addresses', 'blocks']).optional(),
  GEYSER_URL: url(['http:', 'https:'], 'https://geyser.example.org:443').optional(),
  GEYSER_TOKEN: z.string().min(1).optional(),
  INDEX_RPC_PER_SECOND: integer(1, 10_000).optional(),
  INDEX_MARKETS: integer(1, 50_000).optional(),
  TAPE_DATABASE_URL: databaseUrl.optional(),
  CLICKHOUSE_URL: clickHouseUrl.optional(),
  DATABASE_URL: databaseUrl.optional(),
  POSTGRES_PASSWORD: z.string().optional(),
  TAPE_MAX_GB: integer(1, 1_000_000).default(20),
  VERIFIED_TOKENS_FILE: z.string().min(1).optional(),
  HOLDER_COUNTS: z.enum(['on', 'off']).default('off'),
  REDIS_URL: url(['redis:', 'rediss:'], 'redis://host:6379').optional(),

  SIGNER_SOCKET: z
    .string()
    .regex(/^.{1,100}$/, { error: 'expected a path of at most 100 characters' })
    .optional(),
  KEK_PROVIDER: z.enum(['file', 'env', 'vault-transit', 'aws-kms']).optional(),
  KEK_FILE: z.string().min(1).optional(),
  KEK: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, { error: 'expected 64 hexadecimal digits (32 bytes)' })
    .optional(),
  KEK_OLD_FILES: list(z.string().min(1)).optional(),
  VAULT_ADDR: url(['https:', 'http:'], 'https://vault.example.org:8200').optional(),
  VAULT_TOKEN_FILE: z.string().min(1).optional(),
  VAULT_TOKEN: z.string().min(1).optional(),
  VAULT_TRANSIT_MOUNT: transitName.default('transit'),
  VAULT_TRANSIT_KEY: transitName.optional(),
  AWS_KMS_KEY_ARN: z
    .string()
    .startsWith('arn:aws', { error: 'expected arn:aws:kms:<region>:<account>:key/<id>' })
    .optional(),

  FEE_BPS: dated(0, 1_000).optional(),
  CREATE_FEE_LAMPORTS: dated(0, 10_000_000_000).optional(),
  LAUNCH_FEE_LAMPORTS: dated(0, 10_000_000_000).optional(),
  REFERRAL_REQUIRED_FOR: z
    .union([z.literal('nothing').transform(() => []), list(z.enum(REFERRAL_ACTIONS))], {
      error: `expected "nothing" or a comma list of ${REFERRAL_ACTIONS.join(', ')}`,
    })
    .default(['create', 'launch']),
  REFERRAL_SHARE_BPS: dated(0, 9_999).optional(),
  METEORA_DBC_CONFIG: addressText.optional(),
  RAYDIUM_LAUNCHLAB_PLATFORM: addressText.optional(),
  CUSTOM_CODE: z.enum(['shop', 'free']).default('shop'),
  CONVERT: z.enum(['on', 'off']).default('off'),
  GAMES: z.enum(['on', 'off']).default('off'),
  PAYOUT_MIN_LAMPORTS: integer(0, 10_000_000_000).default(0),
  MAX_WALLETS: integer(1, 100).default(5),
  ADDRESS_DELAY_SECONDS: integer(0, 2_592_000).optional(),
  DAILY_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(5_000_000_000),
  CHAT_UPDATES: integer(1, 1_000_000).default(3),
  SPENDING_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(5_000_000_000),
  ORDERS_CAP_LAMPORTS: integer(0, 1_000_000_000_000_000).default(10_000_000_000),
  ORDERS_RPC_PER_SECOND: integer(1, 10_000).default(20),
  USD_MINT: addressText.optional(),
  BOT_USERNAME: z
    .string()
    .regex(/^[A-Za-z0-9_]{5,32}$/, { error: 'expected 5 to 32 letters, digits and _, without @' })
    .optional(),
  EXPLORER_URL: z
    .string()
    .includes('{signature}', { error: 'expected a URL that contains {signature}' })
    .optional(),
  SOURCE_URL: url(['https:'], 'https://github.com/you/tradepost').optional(),

  HEALTH_HOST: z.string().min(1).default('127.0.0.1'),
  HEALTH_PORT: port.optional(),

  API_HOST: z.string().min(1).optional(),
  API_PORT: port.default(4403),
  PRO_API_PORT: port.default(4404),
  API_KEY_SECRET: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, { error: 'expected 64 hexadecimal digits (32 bytes)' })
    .optional(),
  API_RATE_PER_SECOND: integer(1, 100_000).default(1),
  API_RATE_BURST: integer(1, 100_000).default(2),
  API_KEY_MAX_RATE: integer(1, 100_000).default(50),
  CHARTS_PORT: port.optional(),
  V1_DEPRECATED_AT: day.default(Date.UTC(2026, 0, 1)),
  V1_SUNSET_AT: day.optional(),
  ORDERBOOK_PER_SECOND: integer(1, 100_000).default(10),
  ORDERBOOK_PER_MINUTE: integer(1, 1_000_000).default(120),
  ORDERBOOK_BLOCKS: z.enum(['v1', 'host', 'off']).default('v1'),
  OPERATOR_CONTACT: z
    .string()
    .regex(/^[^\p{Cc}]{1,200}$/u, { error: 'expected an address that people may write to, in one line' })
    .optional(),
  QUOTE_MAX_AGE_MS: integer(0, 60_000).default(2_000),
  TRUST_PROXY: list(
    z
      .string()
      .regex(/^[0-9a-fA-F.:]+(\/\d{1,3})?$/, { error: 'expected addresses or CIDR ranges of your proxies' }),
  ).optional(),

  OPERATORS: list(telegramId).optional(),
  SMTP_URL: url(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.org').optional(),
  MAIL_FROM: sender.optional(),
  KEY_MAIL: z.enum(['link', 'key']).default('link'),

  PUBLIC_URL: publicUrl.optional(),
  PICTURES_MAX_MB: integer(1, 1_000_000).default(1_024),
  IPFS_API_URL: url(['https:', 'http:'], 'http://127.0.0.1:5001').optional(),
  IPFS_API_TOKEN: z.string().min(1).optional(),
  IPFS_GATEWAY_URL: publicUrl.optional(),

  ROUTER_PROGRAM: z.enum(['on', 'off']).default('on'),
  AGGREGATORS: list(z.enum(AGGREGATORS)).optional(),
  AGGREGATOR_TIMEOUT_MS: integer(100, 10_000).default(1_500),
  JUPITER_API_URL: url(['https:', 'http:'], 'https://api.jup.ag/swap/v1').optional(),
  JUPITER_API_KEY: z.string().min(1).optional(),
  OKX_API_URL: url(['https:', 'http:'], 'https://web3.okx.com').default('https://web3.okx.com'),
  OKX_API_KEY: z.string().min(1).optional(),
  OKX_SECRET_KEY: z.string().min(1).optional(),
  OKX_PASSPHRASE: z.string().min(1).optional(),
  RAYDIUM_API_URL: url(['https:', 'http:'], 'https://transaction-v1.raydium.io').default(
    'https://transaction-v1.raydium.io',
  ),

  LOCAL_DIR: z.string().min(1).default('.local'),
  LOCAL_WORLD: z.string().min(1).optional(),
  CHAT_PORT: port.default(4400),
  LOCALNET_PORT: port.default(4401),
  LOCALNET_SLOT_MS: integer(10, 10_000).default(400),
  LOCALNET_PROGRAMS_DIR: z.string().min(1).optional(),

  ...(Object.fromEntries(
    SECRET_VARIABLES.map((name) => [`${name}_FILE`, z.string().min(1).optional()]),
  ) as Record<`${(typeof SECRET_VARIABLES)[number]}_FILE`, z.ZodOptional<z.ZodString>>),
});

type Environment = z.infer<typeof ENVIRONMENT>;

export type BotConfig =
  | { readonly mode: 'polling' }
  | { readonly mode: 'webhook'; readonly url: string; readonly secret: string; readonly port: number };

export type KekConfig =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'env'; readonly hex: string }
  | {
      readonly kind: 'vault-transit';
      readonly address: string;
      readonly token: { readonly text: string } | { readonly path: string };
      readonly mount: string;
      readonly key: string;
    }
  | { readonly kind: 'aws-kms'; readonly keyArn: string }
  /** A key file beside the embedded database, made at the first start. Never in production. */
  | { readonly kind: 'local' };

export type MarketConfig = {
  /** The oldest trades go first when the tape has become larger. */
  readonly maxBytes: bigint;
  /** Names the tokens that the operator vouches for; null = the well-known ones alone. */
  readonly verifiedTokensFile: string | null;
  /** Whether holders of tokens are counted also where it is dear. */
  readonly countsHolders: boolean;
  /** Of the charting datafeed; null = on the open host alone. */
  readonly chartsPort: number | null;
  readonly deprecation: Deprecation;
  readonly orderBooks: OrderBookLimits;
};

export type ApiConfig = {
  /** Address that both hosts listen on. */
  readonly host: string;
  readonly openPort: number;
  readonly proPort: number;
  /** Requests per second that a key's stated volume leads to at most. */
  readonly keyMaxRate: number;
  /** Keyed hash of API keys, as hexadecimal digits; null = a file beside the embedded database, or no pro host. */
  readonly keySecret: string | null;
  /** Open host: sustained requests per second of one IP address, and how many at once. */
  readonly ratePerSecond: number;
  /** Pools that were read longer ago are read again before a route is chosen. */
  readonly quoteMaxAgeMs: number;
  readonly burst: number;
  /** Proxies whose `x-forwarded-for` is believed; nobody's when empty. */
  readonly trustedProxies: readonly string[];
};

export type MetadataConfig = {
  /** Where people on the Internet reach the open host, without a slash at the end; null = nobody said. */
  readonly publicUrl: string | null;
  readonly picturesMaxBytes: number;
  /** A node or pinning service that speaks Kubo's RPC; null = files are served by us alone. */
  readonly ipfs: {
    readonly apiUrl: string;
    readonly token: string | null;
    /** Tokens point at `<gateway>/ipfs/<cid>`; null = at `ipfs://<cid>`. */
    readonly gatewayUrl: string | null;
  } | null;
};

/** Aggregators that are switched on; null = off. */
export type AggregatorConfig = {
  /** The most one request may take. */
  readonly timeoutMs: number;
  readonly jupiter: { readonly url: string; readonly apiKey: string | null } | null;
  readonly okx: {
    readonly url: string;
    readonly keys: { readonly apiKey: string; readonly secretKey: string; readonly passphrase: string };
  } | null;
  readonly raydium: { readonly url: string } | null;
};

/** What the indexer reads from, and how much of it. */
export type IndexConfig = {
  /** Null = whole blocks on the embedded local chain, signatures of addresses elsewhere. */
  readonly source: 'addresses' | 'blocks' | null;
  /** A Yellowstone stream that tells what is confirmed before `source` reads what is final; null = there is none. */
  readonly geyser: { readonly url: string; readonly token: string | null } | null;
  /** Calls to the nodes; null = 5, and no limit on the embedded local chain. */
  readonly rpcPerSecond: number | null;
  /** Markets at most; null = 512, and 50,000 with whole blocks. */
  readonly markets: number | null;
  /** A server for the tape alone; null = the database of everything else. */
  readonly databaseUrl: string | null;
  /** A ClickHouse that keeps trades and bars; null = Postgres does. */
  readonly clickHouseUrl: string | null;
};

/** The mail server that is used, and who the mails are from. */
export type MailConfig = { readonly url: string; readonly from: string };

/** `null` in a world field means: start the embedded stand-in. */
export type Config = {
  readonly production: boolean;
  readonly roles: readonly Role[];
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly telegramToken: string | null;
  /** A Bot API server of the operator's own; null = Telegram's. */
  readonly botApiRoot: string | null;
  readonly bot: BotConfig;
  readonly rpcUrls: readonly string[] | null;
  /** Web-socket addresses of the nodes; null = where their HTTP addresses say by convention. */
  readonly wsUrls: readonly string[] | null;
  /** Pools that are followed by subscription instead of being read for each quote; 0 = none. */
  readonly hotPools: number;
  readonly index: IndexConfig;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  /** Where the signer listens, and the other roles ask it; null = this process holds the keys itself. */
  readonly signerSocket: string | null;
  /** Seals new wallets; null = another process holds it, the signer. */
  readonly kek: KekConfig | null;
  /** Keys that still open older wallets, until `npm run ops -- kek rotate` has re-wrapped them. */
  readonly olderKeks: readonly KekConfig[];
  /** The published fees with this operator's own numbers in their place. */
  readonly feeTable: FeeTable;
  /** What people need a referral account for. */
  readonly referralRequiredFor: ReadonlySet<ReferralAction>;
  /** What launchpads are offered under; null = that one is not. */
  readonly pads: { readonly meteoraDbcConfig: Address | null; readonly launchlabPlatform: Address | null };
  /** Whether choosing a referral code takes a voucher of the shop. */
  readonly codeNeedsVoucher: boolean;
  /** Whether convert periods take points. */
  readonly convert: boolean;
  /** Whether the games with points take bets. */
  readonly games: boolean;
  readonly payoutMinLamports: bigint;
  readonly maxWallets: number;
  /** How long a new withdrawal address waits; null = 7200, and 0 on the embedded local chain. */
  readonly addressDelaySeconds: number | null;
  readonly dailyCapLamports: bigint;
  /** Messages and taps of one person within two seconds, on every cluster: a limit that only production had was never met. */
  readonly chatUpdates: number;
  /** What a chat may spend within 24 hours without its PIN. */
  readonly spendCapLamports: bigint;
  readonly orders: {
    /** Lamports that a person's orders may spend within 24 hours. */
    readonly capLamports: bigint;
    /** Looks at tokens with open orders, at most per second. */
    readonly looksPerSecond: number;
  };
  readonly usdMint: string | null;
  /** The bot's name in links of the web pages; null = what Telegram says, where the bot runs in the same process. */
  readonly botUsername: string | null;
  /** Contains `{signature}`; null = the local explorer on a local chain, else explorer.solana.com. */
  readonly explorerUrl: string | null;
  readonly sourceUrl: string | null;
  /** Where every role tells whether it lives and can work; null = nowhere. */
  readonly health: { readonly host: string; readonly port: number } | null;
  readonly api: ApiConfig;
  readonly market: MarketConfig;
  /** Telegram ids of those who review requests for API keys. */
  readonly operators: ReadonlySet<bigint>;
  /** Null: the stand-in beside the chat page, and in production no mail and no form for keys. */
  readonly mail: MailConfig | null;
  /** What a granted request's mail carries: a link behind which the key is made, or the key itself. */
  readonly keyMail: 'link' | 'key';
  readonly aggregators: AggregatorConfig;
  /** Whether routes may go through the public router program, where the cluster has it. */
  readonly routerProgram: boolean;
  readonly metadata: MetadataConfig;
  readonly local: {
    readonly dir: string;
    /** The file of a world that runs in a process of its own; null = the stand-ins are started here. */
    readonly world: string | null;
    readonly chatPort: number;
    readonly chainPort: number;
    readonly slotMs: number;
    readonly programsDir: string | null;
  };
};

const LOCAL_CHARTS_PORT = 4405;
const JUPITER_KEYLESS = 'https://lite-api.jup.ag/swap/v1';
const JUPITER_KEYED = 'https://api.jup.ag/swap/v1';
const MAINNET_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/**
 * Reads the environment once. Throws CONFIG_INVALID with one sentence per problem, all at once, each naming the variable
 * and what was expected.
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const files = withSecretFiles(environment);
  const given = Object.fromEntries(
    Object.entries(files.given).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const mistyped = [...files.problems, ...typingProblems(given)];
  if (mistyped.length > 0) throw new AppError('CONFIG_INVALID', { problems: mistyped });
  const parsed = ENVIRONMENT.safeParse(given);
  if (!parsed.success) {
    throw new AppError('CONFIG_INVALID', {
      problems: parsed.error.issues.map(
        ({ path, message }) => `${path[0]?.toString() ?? 'environment'}: ${message}`,
      ),
    });
  }
  const env = parsed.data;
  const problems = [
    ...productionProblems(env),
    ...webhookProblems(env),
    ...kekProblems(env),
    ...signerProblems(env),
    ...aggregatorProblems(env),
    ...mailProblems(env),
    ...sunsetProblems(env),
  ];
  if (problems.length > 0) throw new AppError('CONFIG_INVALID', { problems });

  return Object.freeze({
    production: env.NODE_ENV === 'production',
    roles: env.ROLES,
    logLevel: env.LOG_LEVEL ?? (env.NODE_ENV === 'production' ? 'info' : 'warn'),
    telegramToken: env.TELEGRAM_BOT_TOKEN ?? null,
    botApiRoot: env.BOT_API_ROOT ?? null,
    bot: botConfig(env),
    rpcUrls: env.SOLANA_RPC_URL ?? null,
    wsUrls: env.SOLANA_WS_URL ?? null,
    hotPools: env.HOT_POOLS,
    index: {
      source: env.INDEX_SOURCE ?? null,
      geyser: env.GEYSER_URL === undefined ? null : { url: env.GEYSER_URL, token: env.GEYSER_TOKEN ?? null },
      rpcPerSecond: env.INDEX_RPC_PER_SECOND ?? null,
      markets: env.INDEX_MARKETS ?? null,
      databaseUrl: env.TAPE_DATABASE_URL ?? null,
      clickHouseUrl: env.CLICKHOUSE_URL ?? null,
    },
    databaseUrl:
      env.DATABASE_URL === undefined ? null : withPassword(env.DATABASE_URL, env.POSTGRES_PASSWORD ?? null),
    redisUrl: env.REDIS_URL ?? null,
    signerSocket: env.SIGNER_SOCKET ?? null,
    kek: asksSigner(env) ? null : kekConfig(env),
    olderKeks: olderKeks(env),
    feeTable: feeTableWith({
      tradeBps: env.FEE_BPS,
      createLamports: env.CREATE_FEE_LAMPORTS,
      launchLamports: env.LAUNCH_FEE_LAMPORTS,
      referralShareBps: env.REFERRAL_SHARE_BPS,
    }),
    referralRequiredFor: new Set(env.REFERRAL_REQUIRED_FOR),
    pads: {
      meteoraDbcConfig: env.METEORA_DBC_CONFIG === undefined ? null : address(env.METEORA_DBC_CONFIG),
      launchlabPlatform:
        env.RAYDIUM_LAUNCHLAB_PLATFORM === undefined ? null : address(env.RAYDIUM_LAUNCHLAB_PLATFORM),
    },
    codeNeedsVoucher: env.CUSTOM_CODE === 'shop',
    games: env.GAMES === 'on',
    convert: env.CONVERT === 'on',
    payoutMinLamports: BigInt(env.PAYOUT_MIN_LAMPORTS),
    maxWallets: env.MAX_WALLETS,
    addressDelaySeconds: env.ADDRESS_DELAY_SECONDS ?? null,
    dailyCapLamports: BigInt(env.DAILY_CAP_LAMPORTS),
    chatUpdates: env.CHAT_UPDATES,
    spendCapLamports: BigInt(env.SPENDING_CAP_LAMPORTS),
    orders: {
      capLamports: BigInt(env.ORDERS_CAP_LAMPORTS),
      looksPerSecond: env.ORDERS_RPC_PER_SECOND,
    },
    usdMint: env.USD_MINT ?? (env.SOLANA_RPC_URL === undefined ? null : MAINNET_USDC),
    botUsername: env.BOT_USERNAME ?? null,
    explorerUrl: env.EXPLORER_URL ?? null,
    sourceUrl: env.SOURCE_URL ?? null,
    health: env.HEALTH_PORT === undefined ? null : { host: env.HEALTH_HOST, port: env.HEALTH_PORT },
    api: {
      host: env.API_HOST ?? (env.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1'),
      openPort: env.API_PORT,
      proPort: env.PRO_API_PORT,
      keySecret: env.API_KEY_SECRET ?? null,
      keyMaxRate: env.API_KEY_MAX_RATE,
      ratePerSecond: env.API_RATE_PER_SECOND,
      quoteMaxAgeMs: env.QUOTE_MAX_AGE_MS,
      burst: env.API_RATE_BURST,
      trustedProxies: env.TRUST_PROXY ?? [],
    },
    market: {
      maxBytes: BigInt(env.TAPE_MAX_GB) * 1_073_741_824n,
      verifiedTokensFile: env.VERIFIED_TOKENS_FILE ?? null,
      countsHolders: env.HOLDER_COUNTS === 'on',
      // On one's own machine without asking; on any port where the API is on any.
      chartsPort:
        env.CHARTS_PORT ??
        (env.NODE_ENV === 'production' ? null : env.API_PORT === 0 ? 0 : LOCAL_CHARTS_PORT),
      deprecation: { deprecatedAt: env.V1_DEPRECATED_AT, sunsetAt: env.V1_SUNSET_AT ?? null },
      orderBooks: {
        perSecond: env.ORDERBOOK_PER_SECOND,
        perMinute: env.ORDERBOOK_PER_MINUTE,
        blocks: env.ORDERBOOK_BLOCKS,
        contact: env.OPERATOR_CONTACT ?? null,
      },
    },
    operators: new Set((env.OPERATORS ?? []).map(BigInt)),
    mail:
      env.SMTP_URL === undefined || env.MAIL_FROM === undefined
        ? null
        : { url: env.SMTP_URL, from: env.MAIL_FROM },
    keyMail: env.KEY_MAIL,
    metadata: {
      publicUrl: env.PUBLIC_URL ?? null,
      picturesMaxBytes: env.PICTURES_MAX_MB * 1_048_576,
      ipfs:
        env.IPFS_API_URL === undefined
          ? null
          : {
              apiUrl: env.IPFS_API_URL.replace(/\/+$/, ''),
              token: env.IPFS_API_TOKEN ?? null,
              gatewayUrl: env.IPFS_GATEWAY_URL ?? null,
            },
    },
    aggregators: aggregatorConfig(env),
    routerProgram: env.ROUTER_PROGRAM === 'on',
    local: {
      dir: env.LOCAL_DIR,
      world: env.LOCAL_WORLD ?? null,
      chatPort: env.CHAT_PORT,
      chainPort: env.LOCALNET_PORT,
      slotMs: env.LOCALNET_SLOT_MS,
      programsDir: env.LOCALNET_PROGRAMS_DIR ?? null,
    },
  });
}

/** The environment of this process: the one place that reads it. The key-encryption key is taken out once it is read. */
export function loadProcessConfig(): Config {
  const config = loadConfig(process.env);
  // A child process, a crash report or a dependency that dumps its environment must not find the key there.
  delete process.env['KEK'];
  delete process.env['API_KEY_SECRET'];
  delete process.env['SMTP_URL'];
  delete process.env['VAULT_TOKEN'];
  delete process.env['JUPITER_API_KEY'];
  delete process.env['OKX_SECRET_KEY'];
  delete process.env['OKX_PASSPHRASE'];
  delete process.env['IPFS_API_TOKEN'];
  delete process.env['POSTGRES_PASSWORD'];
  return config;
}

/** Where a quotation mark or a space at an end may be meant. */
const FREE_TEXT: ReadonlySet<string> = new Set(['POSTGRES_PASSWORD', 'OKX_PASSPHRASE']);

/** Quotes and spaces that a shell or a YAML file would have taken away and an env file keeps. */
function typingProblems(given: Readonly<Record<string, string | undefined>>): string[] {
  const problems: string[] = [];
  for (const name of Object.keys(ENVIRONMENT.shape)) {
    const value = given[name];
    if (value === undefined || FREE_TEXT.has(name)) continue;
    if (value !== value.trim())
      problems.push(`${name}: the value begins or ends with a space or a line break. Take it away.`);
    else if (/^(["']).*\1$/s.test(value))
      problems.push(`${name}: the value stands in quotes, which count as part of it. Take them away.`);
  }
  return problems;
}

function productionProblems(env: Environment): string[] {
  if (env.NODE_ENV !== 'production') return [];
  const required: readonly [boolean, string][] = [
    [
      env.TELEGRAM_BOT_TOKEN !== undefined || !env.ROLES.some((role) => role === 'bot' || role === 'worker'),
      'TELEGRAM_BOT_TOKEN: missing. Create a bot with @BotFather and set its token.',
    ],
    [
      env.LOCAL_WORLD === undefined,
      'LOCAL_WORLD: names a world of stand-ins, in which anybody at this machine may speak as any user. Remove it.',
    ],
    [env.SOLANA_RPC_URL !== undefined, 'SOLANA_RPC_URL: missing. Set one RPC URL or a comma list.'],
    [env.DATABASE_URL !== undefined, 'DATABASE_URL: missing. Set the URL of a Postgres 14 or newer.'],
    [
      KEY_VARIABLES.some((name) => env[name] !== undefined) || asksSigner(env),
      `KEK_FILE: missing. ${KEY_FILE_HINT}${isSigner(env) ? '' : OTHER_HOLDER_HINT}`,
    ],
  ];
  return required.filter(([ok]) => !ok).map(([, sentence]) => sentence);
}

const KEY_FILE_HINT =
  'Name a file of mode 0400 holding 64 hexadecimal digits (make one with "openssl rand -hex 32").';
const OTHER_HOLDER_HINT =
  ' Or set SIGNER_SOCKET to the socket of a process with ROLES=signer, which has the key.';

/** Each of them leads to the master key. */
const KEY_VARIABLES = ['KEK', 'KEK_FILE', 'KEK_PROVIDER'] as const;
const ALL_KEY_VARIABLES = [
  ...KEY_VARIABLES,
  'KEK_OLD_FILES',
  'VAULT_TOKEN',
  'VAULT_TOKEN_FILE',
  'AWS_KMS_KEY_ARN',
] as const;

function isSigner(env: Environment): boolean {
  return env.ROLES.includes('signer');
}

/** True for every process but the signer where there is one. */
function asksSigner(env: Environment): boolean {
  return env.SIGNER_SOCKET !== undefined && !isSigner(env);
}

/** The signer is alone with its key, and nobody else has it. */
function signerProblems(env: Environment): string[] {
  const problems: string[] = [];
  if (isSigner(env)) {
    if (env.ROLES.length > 1)
      problems.push('ROLES: the signer runs in a process of its own. Name it alone, or leave it out.');
    if (env.SIGNER_SOCKET === undefined)
      problems.push('SIGNER_SOCKET: missing. ROLES=signer needs the path of the socket that it listens at.');
    if (env.DATABASE_URL === undefined && env.NODE_ENV !== 'production')
      problems.push('DATABASE_URL: missing. ROLES=signer needs the database of the other roles.');
  }
  if (asksSigner(env)) {
    for (const name of ALL_KEY_VARIABLES.filter((one) => env[one] !== undefined))
      problems.push(
        `${name}: belongs to the signer alone. This process asks it (SIGNER_SOCKET): remove ${name} here.`,
      );
  }
  return problems;
}

/** Nobody can be told of an end that came before the notice of it. */
function sunsetProblems({
  V1_DEPRECATED_AT: deprecatedAt,
  V1_SUNSET_AT: sunsetAt,
}: Environment): readonly string[] {
  return sunsetAt !== undefined && sunsetAt < deprecatedAt
    ? ['V1_SUNSET_AT: expected a day after V1_DEPRECATED_AT']
    : [];
}

function mailProblems(env: Environment): string[] {
  if (env.SMTP_URL === undefined) return [];
  const problems: string[] = [];
  if (env.MAIL_FROM === undefined)
    problems.push('MAIL_FROM: missing. SMTP_URL needs the address that the mails are from.');
  if (env.NODE_ENV !== 'production') return problems;
  // A link to a key goes over TLS or not at all.
  if (env.PUBLIC_URL?.startsWith('https:') !== true)
    problems.push(
      'PUBLIC_URL: missing or not https. SMTP_URL sends links to the open host, so it must be known.',
    );
  if (env.KEY_MAIL === 'key' && env.API_KEY_SECRET === undefined)
    problems.push(
      'API_KEY_SECRET: missing. KEY_MAIL=key makes keys in the worker, which needs it as the api does.',
    );
  return problems;
}

function webhookProblems(env: Environment): string[] {
  if (env.BOT_MODE !== 'webhook') return [];
  const problems: string[] = [];
  if (env.WEBHOOK_URL === undefined)
    problems.push('WEBHOOK_URL: missing. BOT_MODE=webhook needs the public https URL.');
  // A secret path is not enough: whoever learns the URL could post forged updates in anybody's name.
  if (env.WEBHOOK_SECRET === undefined)
    problems.push('WEBHOOK_SECRET: missing. BOT_MODE=webhook needs 16 or more characters.');
  if (env.TELEGRAM_BOT_TOKEN === undefined)
    problems.push('TELEGRAM_BOT_TOKEN: missing. BOT_MODE=webhook needs a real bot.');
  return problems;
}

function botConfig(env: Environment): BotConfig {
  if (env.BOT_MODE === 'polling' || env.WEBHOOK_URL === undefined || env.WEBHOOK_SECRET === undefined) {
    return { mode: 'polling' };
  }
  return { mode: 'webhook', url: env.WEBHOOK_URL, secret: env.WEBHOOK_SECRET, port: env.WEBHOOK_PORT };
}

/** What the chosen provider lacks. */
function kekProblems(env: Environment): string[] {
  const problems: string[] = [];
  const provider = env.KEK_PROVIDER;
  const needs = (
    name: 'KEK_FILE' | 'KEK' | 'AWS_KMS_KEY_ARN' | 'VAULT_TRANSIT_KEY' | 'VAULT_ADDR',
    what: string,
  ) => {
    if (env[name] === undefined) problems.push(`${name}: missing. ${what}`);
  };
  if (provider === 'file') needs('KEK_FILE', 'KEK_PROVIDER=file needs the path of the key file.');
  if (provider === 'env') needs('KEK', 'KEK_PROVIDER=env needs 64 hexadecimal digits.');
  if (provider === 'aws-kms') needs('AWS_KMS_KEY_ARN', 'KEK_PROVIDER=aws-kms needs the ARN of the key.');
  if (provider === 'vault-transit')
    needs('VAULT_TRANSIT_KEY', 'KEK_PROVIDER=vault-transit needs the name of the key.');
  if (env.VAULT_TRANSIT_KEY !== undefined) {
    needs('VAULT_ADDR', 'VAULT_TRANSIT_KEY needs the address of the Vault server.');
    if (env.VAULT_TOKEN === undefined && env.VAULT_TOKEN_FILE === undefined)
      problems.push('VAULT_TOKEN_FILE: missing. VAULT_TRANSIT_KEY needs a token or the file that holds it.');
  }
  return problems;
}

function kekConfig(env: Environment): KekConfig {
  const provider = env.KEK_PROVIDER;
  if (provider === 'vault-transit' || provider === 'aws-kms') {
    const service = keyServices(env).find(({ kind }) => kind === provider);
    if (service !== undefined) return service;
  }
  if (env.KEK_FILE !== undefined && provider !== 'env') return { kind: 'file', path: env.KEK_FILE };
  if (env.KEK !== undefined) return { kind: 'env', hex: env.KEK };
  return { kind: 'local' };
}

/** The files named as old, and every key service that is configured without being the current key. */
function olderKeks(env: Environment): readonly KekConfig[] {
  return [
    ...(env.KEK_OLD_FILES ?? []).map((path): KekConfig => ({ kind: 'file', path })),
    ...keyServices(env).filter(({ kind }) => kind !== env.KEK_PROVIDER),
  ];
}

function keyServices(env: Environment): readonly KekConfig[] {
  const token =
    env.VAULT_TOKEN_FILE !== undefined
      ? { path: env.VAULT_TOKEN_FILE }
      : env.VAULT_TOKEN !== undefined
        ? { text: env.VAULT_TOKEN }
        : null;
  const services: KekConfig[] = [];
  if (env.VAULT_ADDR !== undefined && env.VAULT_TRANSIT_KEY !== undefined && token !== null) {
    const { VAULT_ADDR: address, VAULT_TRANSIT_MOUNT: mount, VAULT_TRANSIT_KEY: key } = env;
    services.push({ kind: 'vault-transit', address, token, mount, key });
  }
  if (env.AWS_KMS_KEY_ARN !== undefined) services.push({ kind: 'aws-kms', keyArn: env.AWS_KMS_KEY_ARN });
  return services;
}

function aggregatorProblems(env: Environment): string[] {
  if (env.AGGREGATORS?.includes('okx') !== true) return [];
  return (['OKX_API_KEY', 'OKX_SECRET_KEY', 'OKX_PASSPHRASE'] as const)
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: missing. AGGREGATORS=okx needs the key, its secret and its passphrase.`);
}

function aggregatorConfig(env: Environment): AggregatorConfig {
  const on = new Set(env.AGGREGATORS);
  const { OKX_API_KEY: apiKey, OKX_SECRET_KEY: secretKey, OKX_PASSPHRASE: passphrase } = env;
  const hasKeys = apiKey !== undefined && secretKey !== undefined && passphrase !== undefined;
  const jupiterKey = env.JUPITER_API_KEY ?? null;
  return {
    timeoutMs: env.AGGREGATOR_TIMEOUT_MS,
    jupiter: on.has('jupiter')
      ? {
          url: env.JUPITER_API_URL ?? (jupiterKey === null ? JUPITER_KEYLESS : JUPITER_KEYED),
          apiKey: jupiterKey,
        }
      : null,
    okx: on.has('okx') && hasKeys ? { url: env.OKX_API_URL, keys: { apiKey, secretKey, passphrase } } : null,
    raydium: on.has('raydium') ? { url: env.RAYDIUM_API_URL } : null,
  };
}
