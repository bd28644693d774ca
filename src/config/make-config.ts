import { address } from '../core/address/address.ts';
import { AppError } from '../core/errors/app-error.ts';
import { feeTableWith } from '../engine/fees/rules/fee-table.ts';
import { aggregatorConfig } from './aggregators.ts';
import { apiConfig } from './api.ts';
import { indexConfig } from './chain.ts';
import type { Config } from './config.ts';
import { withPassword } from './database-url.ts';
import type { Environment } from './environment.ts';
import { asksSigner, kekConfig, olderKeks, tlsPlaces } from './keys.ts';
import { localConfig } from './local.ts';
import { mailConfig } from './mail.ts';
import { marketConfig } from './market.ts';
import { metadataConfig } from './metadata.ts';
import { sendersConfig } from './senders.ts';
import { botConfig, chatKeys } from './telegram.ts';
import { isWitness } from './witness.ts';

const MAINNET_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** The frozen configuration of an environment. Throws CONFIG_INVALID with every problem. */
export function configOf(env: Environment, problems: readonly string[]): Config {
  if (problems.length > 0) throw new AppError('CONFIG_INVALID', { problems });

  return Object.freeze({
    production: env.NODE_ENV === 'production',
    roles: env.ROLES,
    logLevel: env.LOG_LEVEL ?? (env.NODE_ENV === 'production' ? 'info' : 'warn'),
    telegramToken: env.TELEGRAM_BOT_TOKEN ?? null,
    botApiRoot: env.BOT_API_ROOT ?? null,
    bot: botConfig(env),
    chatKeys: chatKeys(env),
    rpcUrls: env.SOLANA_RPC_URL ?? null,
    wsUrls: env.SOLANA_WS_URL ?? null,
    hotPools: env.HOT_POOLS,
    index: indexConfig(env),
    senders: sendersConfig(env),
    feedRpcPerSecond: env.FEED_RPC_PER_SECOND ?? null,
    auditRpcPerSecond: env.AUDIT_RPC_PER_SECOND ?? null,
    databaseUrl:
      env.DATABASE_URL === undefined ? null : withPassword(env.DATABASE_URL, env.POSTGRES_PASSWORD ?? null),
    databaseRoles: env.DATABASE_ROLES ?? null,
    scratchDatabaseUrl: env.SCRATCH_DATABASE_URL ?? null,
    standbys: { ha: env.POSTGRES_HA, readReplicas: new Set(env.POSTGRES_READ_REPLICAS) },
    redisUrl: env.REDIS_URL ?? null,
    signerSocket: env.SIGNER_SOCKET ?? null,
    signerSockets: env.SIGNER_SOCKETS ?? null,
    signerUrls: tlsPlaces(env, env.SIGNER_URLS),
    signerListen:
      tlsPlaces(env, env.SIGNER_LISTEN === undefined ? undefined : [env.SIGNER_LISTEN])[0] ?? null,
    signerPeers: tlsPlaces(env, env.SIGNER_PEERS),
    signerWitnesses: tlsPlaces(env, env.SIGNER_WITNESSES),
    kek: asksSigner(env) || isWitness(env) ? null : kekConfig(env),
    olderKeks: olderKeks(env),
    journalDir: env.JOURNAL_DIR ?? `${env.LOCAL_DIR}/journal`,
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
    payoutsLamports: BigInt(env.PAYOUTS_CAP_LAMPORTS),
    unprovedLamports: BigInt(env.PAYOUTS_UNPROVED_LAMPORTS),
    maxWallets: env.MAX_WALLETS,
    addressDelaySeconds: env.ADDRESS_DELAY_SECONDS ?? null,
    longDelaySeconds: env.LONG_DELAY_SECONDS ?? null,
    dailyCapLamports: BigInt(env.DAILY_CAP_LAMPORTS),
    chatUpdates: env.CHAT_UPDATES,
    spendCapLamports: BigInt(env.SPENDING_CAP_LAMPORTS),
    allSpendingLamports: BigInt(env.ALL_SPENDING_CAP_LAMPORTS),
    doubtedLamports: BigInt(env.DOUBTED_CAP_LAMPORTS),
    sinceRightPinLamports: BigInt(env.SINCE_PIN_CAP_LAMPORTS),
    actRates: env.ACT_RATES,
    personalKeysHost:
      env.PERSONAL_KEYS === 'on' ? (env.PERSONAL_KEYS_HOST ?? `127.0.0.1:${env.PRO_API_PORT}`) : null,
    copyTrading: (env.COPY_TRADING ?? (env.NODE_ENV === 'production' ? 'off' : 'on')) === 'on',
    orders: {
      capLamports: BigInt(env.ORDERS_CAP_LAMPORTS),
      looksPerSecond: env.ORDERS_RPC_PER_SECOND,
    },
    usdMint: env.USD_MINT ?? (env.SOLANA_RPC_URL === undefined ? null : MAINNET_USDC),
    botUsername: env.BOT_USERNAME ?? null,
    explorerUrl: env.EXPLORER_URL ?? null,
    sourceUrl: env.SOURCE_URL ?? null,
    health: env.HEALTH_PORT === undefined ? null : { host: env.HEALTH_HOST, port: env.HEALTH_PORT },
    api: apiConfig(env),
    market: marketConfig(env),
    operators: new Set((env.OPERATORS ?? []).map(BigInt)),
    mail: mailConfig(env),
    keyMail: env.KEY_MAIL,
    metadata: metadataConfig(env),
    aggregators: aggregatorConfig(env),
    routerProgram: env.ROUTER_PROGRAM === 'on',
    builtVersion: env.MAX_TRANSACTION_VERSION === '1' ? 1 : 0,
    local: localConfig(env),
  });
}
