import { createPrivateKey, sign } from 'node:crypto';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { type Address, toBase58 } from '@tradepost/solana';
import { address } from '../../../src/core/address/address.ts';
import { bps, bpsFloor } from '../../../src/core/amounts/bps.ts';
import type { IntentParams } from '../../../src/engine/intents/kinds/params.ts';
import type { Intent } from '../../../src/engine/intents/rules/intent.ts';
import { firstSignature } from '../../../src/engine/signing/rules/wire-transaction.ts';
import { compileFitting } from '../../../src/engine/transactions/use/compile-fitting.ts';
import { MAX_LOADED_BYTES } from '../../../src/engine/transactions/use/measure.ts';
import type { TransactionPlan } from '../../../src/engine/transactions/use/plan.ts';
import { startDeskChain } from '../../../src/local/desk/index.ts';
import { hubMints } from '../../../src/modules/tokens/rules/well-known.ts';
import { createPoolQuarantine } from '../../../src/modules/trading/use/pool-quarantine.ts';
import type { TradeDeps } from '../../../src/modules/trading/use/trading-deps.ts';
import type { Wallet } from '../../../src/modules/wallets/rules/wallet.ts';
import { createMessageCompiler } from '../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../src/platform/chain/programs.ts';
import { createRpcChain } from '../../../src/platform/chain/rpc-chain.ts';
import type { LandedTransaction } from '../../../src/platform/ports/chain.ts';
import { createVenues } from '../../../src/platform/venues/index.ts';
import { sendersOf } from '../../support/local-senders.ts';

const SLOTS_TO_CONFIRM = 3;

/** The real adapters and trade services over a real local chain in this process, with a wallet whose key the test holds. */
export async function startDeskRig(
  seed: string,
  {
    withSenders = false,
    ...options
  }: {
    readonly programsDir?: string;
    readonly withSenders?: boolean;
    /** False: a cluster without transactions of version 1, where tables make room. */
    readonly version1?: boolean;
  } = {},
) {
  const local = await startDeskChain({ slotMs: 0, seed, wsPort: null, ...options });
  const senders = withSenders ? await sendersOf(local.rpcUrl) : [];
  const chain = createRpcChain({ urls: [local.rpcUrl], senders });
  const programs = createPrograms();
  const compiler = createMessageCompiler();
  const venues = createVenues({ chain, programs, deskUrl: local.deskUrl });
  const keypair = Keypair.generate();
  const wallet = address(keypair.publicKey.toBase58());
  const treasury = address(Keypair.generate().publicKey.toBase58());
  const rpc = new Connection(local.rpcUrl, 'confirmed');
  let now = 1_700_000_000_000;
  const confirmSlots = () => local.advanceSlots(SLOTS_TO_CONFIRM);

  const airdrop = async (to: Address, lamports: bigint) => {
    await rpc.requestAirdrop(new PublicKey(to), Number(lamports));
    confirmSlots();
  };
  await airdrop(wallet, 20_000_000_000n);
  // A treasury below the rent minimum could not receive a small fee.
  await airdrop(treasury, 1_000_000n);

  const deps: TradeDeps = {
    maxStateAgeMs: 2_000,
    chain,
    venues,
    programs,
    clock: { now: () => now },
    treasury,
    platformFee: async (gross) => ({ lamports: bpsFloor(gross, bps(100)), discountBps: bps(0) }),
    wellKnown: [],
    poolQuarantine: createPoolQuarantine({ clock: { now: () => now }, log: { warn: () => undefined } }),
    hubs: hubMints(false, address(local.world.tokens.find(({ symbol }) => symbol === 'USDC')?.mint ?? '')),
  };

  const compile = async (plan: TransactionPlan, memo: string) => {
    const blockhash = await chain.latestBlockhash();
    return compileFitting(compiler, {
      payer: wallet,
      blockhash: blockhash.blockhash,
      instructions: [
        ...programs.computeBudget({ units: 400_000, microLamportsPerUnit: 0n }),
        programs.memo(memo),
        ...plan.instructions,
      ],
      lookupTables: plan.lookupTables ?? [],
      ...(plan.version1 === true ? { version1: { loadedBytes: MAX_LOADED_BYTES } } : {}),
    });
  };

  /** Plan → compile → simulate → co-sign → sign → send: it has landed in the slot that is open. The signature. */
  const land = async (plan: TransactionPlan, memo: string): Promise<string> => {
    const message = await compile(plan, memo);
    const simulation = await chain.simulate(message.bytes, []);
    if (simulation.err !== null) throw new Error(`${simulation.err}\n${simulation.logs.join('\n')}`);
    const others = message.signers.filter((signer) => signer !== wallet);
    const signatures = new Map(await plan.coSign?.(message.bytes, others));
    signatures.set(wallet, signMessage(keypair, message.bytes));
    const bytes = compiler.assemble(message, signatures);
    const outcome = await chain.send(bytes);
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    return toBase58(firstSignature(bytes));
  };

  /** The same, and the slot is confirmed: the landed transaction. */
  const execute = async (plan: TransactionPlan, memo: string): Promise<LandedTransaction> => {
    const signature = await land(plan, memo);
    confirmSlots();
    const landed = await chain.landed(signature);
    if (landed === null) throw new Error('accepted but not served');
    return landed;
  };

  return {
    local,
    rpc,
    chain,
    senders,
    programs,
    compiler,
    venues,
    deps,
    keypair,
    wallet,
    treasury,
    airdrop,
    confirmSlots,
    compile,
    land,
    execute,
    advanceClock: (ms: number) => {
      now += ms;
    },
    token: (symbol: string) => {
      const token = local.world.tokens.find((one) => one.symbol === symbol);
      if (token === undefined) throw new Error(`the local world has no ${symbol}`);
      return token;
    },
    stop: () => local.stop(),
  };
}

export type DeskRig = Awaited<ReturnType<typeof startDeskRig>>;

export function signMessage(keypair: Keypair, message: Uint8Array): Uint8Array {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({
    key: Buffer.concat([prefix, keypair.secretKey.subarray(0, 32)]),
    format: 'der',
    type: 'pkcs8',
  });
  return sign(null, message, key);
}

export function buildWallet(walletAddress: Address): Wallet {
  return {
    id: 'W1',
    userId: 'U1',
    name: 'Main',
    address: walletAddress,
    createdAt: 0,
    deletedAt: null,
    origin: 'made',
    confirmedAt: null,
    payoutFrom: null,
  };
}

/** The id of one attempt, as long as a real one. */
export const ATTEMPT = '01J8ZQ6Y7V3M9T2K4C5D6E7FAA';

export function buildIntent<P extends IntentParams>(id: string, params: P): Intent & { readonly params: P } {
  return {
    id,
    receipt: 'R-TEST1',
    kind: params.kind,
    userId: 'U1',
    walletId: 'W1',
    idemKey: id,
    confirmation: null,
    params,
    status: 'ACTIVE',
    notBefore: null,
    leaseOwner: null,
    leaseUntil: null,
    leaseEpoch: 1,
    outcome: null,
    createdAt: 0,
    updatedAt: 0,
  };
}
