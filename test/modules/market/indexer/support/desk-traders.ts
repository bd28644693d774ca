import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import {
  type Address,
  type Instruction,
  TOKEN_PROGRAM,
  toBase58,
  unitsHeld,
  WSOL_MINT,
} from '@tradepost/solana';
import { address } from '../../../../../src/core/address/address.ts';
import { firstSignature } from '../../../../../src/engine/signing/rules/wire-transaction.ts';
import { createMessageCompiler } from '../../../../../src/platform/chain/compiler.ts';
import { createPrograms } from '../../../../../src/platform/chain/programs.ts';
import { createRpcChain } from '../../../../../src/platform/chain/rpc-chain.ts';
import { createVenues } from '../../../../../src/platform/venues/index.ts';
import { asVersion1, signedVersion1 } from '../../../../support/version-1.ts';
import { signMessage } from '../../../trading/desk-rig.ts';

const SOL = 1_000_000_000n;

/** Whole numbers below `below`, the same for the same seed. */
export function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** People with money of their own who trade over the desk of a chain that is reached by its addresses alone. */
export async function startDeskTraders(
  urls: { readonly rpcUrl: string; readonly deskUrl: string },
  people: number,
  /** Whether the nth transaction is of version 1. */
  isVersion1: (n: number) => boolean = () => false,
) {
  const chain = createRpcChain({ urls: [urls.rpcUrl] });
  const programs = createPrograms();
  const compiler = createMessageCompiler();
  const [desk] = createVenues({ chain, programs, deskUrl: urls.deskUrl });
  if (desk?.markets?.list === undefined) throw new Error('the desk has no list of its pools');
  const list = () => desk.markets?.list?.() ?? Promise.resolve([]);
  const rpc = new Connection(urls.rpcUrl, 'processed');
  const traders = Array.from({ length: people }, () => Keypair.generate());
  for (const { publicKey } of traders) await rpc.requestAirdrop(publicKey, Number(500n * SOL));

  const programOf = async (mint: Address): Promise<Address> =>
    (await chain.token(mint))?.tokenProgram ?? TOKEN_PROGRAM;

  let sent = 0;
  const send = async (
    keypair: Keypair,
    instructions: readonly Instruction[],
    coSigned: boolean,
  ): Promise<string> => {
    const payer = address(keypair.publicKey.toBase58());
    const { blockhash } = await chain.latestBlockhash();
    sent += 1;
    const compiled = compiler.compile({
      payer,
      blockhash,
      instructions: [
        ...programs.computeBudget({ units: 600_000, microLamportsPerUnit: 0n }),
        ...instructions,
      ],
    });
    const isV1 = isVersion1(sent);
    const message = isV1 ? asVersion1(compiled.bytes) : compiled.bytes;
    const others = compiled.signers.filter((signer) => signer !== payer);
    const signatures = new Map(coSigned ? await desk.coSign?.(message, others) : []);
    signatures.set(payer, signMessage(keypair, message));
    const bytes = isV1
      ? signedVersion1(
          message,
          compiled.signers.map((one) => signatures.get(one)),
        )
      : compiler.assemble(compiled, signatures);
    const outcome = await chain.send(bytes);
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    return toBase58(firstSignature(bytes));
  };

  /** One swap in a pool: SOL is wrapped and unwrapped around it. Null when the person holds nothing to sell. */
  const swap = async (
    keypair: Keypair,
    pool: { readonly id: Address; readonly mints: readonly [Address, Address] },
    mintIn: Address,
    part: bigint,
  ): Promise<string | null> => {
    const owner = address(keypair.publicKey.toBase58());
    const mintOut = pool.mints[0] === mintIn ? pool.mints[1] : pool.mints[0];
    const accountOf = async (mint: Address) =>
      programs.associatedTokenAddress(owner, mint, await programOf(mint));
    const holding = await accountOf(mintIn);
    const { accounts } = await chain.accounts([holding]);
    const available = mintIn === WSOL_MINT ? 2n * SOL : unitsHeld(accounts[0] ?? null);
    const amountIn = (available * part) / 100n;
    const found = (await desk.pools(...pool.mints)).find(({ id }) => id === pool.id);
    const amountOut = found?.quote(mintIn, amountIn) ?? 0n;
    if (found === undefined || amountOut === 0n) return null;
    const wrapped = programs.openWrappedSol({
      owner,
      seed: 'in',
      lamports: amountIn,
      rentLamports: 2_039_280n,
    });
    const destination = await accountOf(mintOut);
    const isSol = mintIn === WSOL_MINT;
    const close = (account: Address) =>
      programs.closeTokenAccount({ account, owner, tokenProgram: TOKEN_PROGRAM });
    return send(
      keypair,
      [
        ...(isSol ? wrapped.instructions : []),
        programs.createAssociatedTokenAccount({
          payer: owner,
          owner,
          mint: mintOut,
          tokenProgram: await programOf(mintOut),
        }),
        ...found.swap({
          owner,
          mintIn,
          amountIn,
          amountOut,
          minOut: amountOut,
          source: isSol ? wrapped.account : holding,
          destination,
        }),
        ...(isSol ? [close(wrapped.account)] : []),
        ...(mintOut === WSOL_MINT ? [close(destination)] : []),
      ],
      true,
    );
  };

  return {
    chain,
    desk,
    traders,
    list,
    swap,
    /** Units of play money to somebody's token account, as anybody can: to a vault it is a gift that names no pool. */
    give: async (keypair: Keypair, mint: Address, destination: Address, amount: bigint): Promise<string> => {
      const owner = address(keypair.publicKey.toBase58());
      const tokenProgram = await programOf(mint);
      return send(
        keypair,
        [
          programs.transferToken({
            source: programs.associatedTokenAddress(owner, mint, tokenProgram),
            mint,
            destination,
            owner,
            amount,
            decimals: (await chain.token(mint))?.decimals ?? 0,
            tokenProgram,
          }),
        ],
        false,
      );
    },
    /** `count` random swaps; what the desk refuses because somebody was faster is tried again. */
    trade: async (count: number, roll: (below: number) => number): Promise<readonly string[]> => {
      const pools = await list();
      const signatures: string[] = [];
      for (let tries = 0; signatures.length < count; tries += 1) {
        if (tries > 20 * count) throw new Error(`only ${signatures.length} of ${count} swaps went through`);
        const pool = pools[roll(pools.length)];
        const trader = traders[roll(traders.length)];
        if (pool === undefined || trader === undefined) continue;
        const holdsSol = pool.mints.includes(WSOL_MINT) && roll(2) === 0;
        const mintIn = holdsSol ? WSOL_MINT : (pool.mints[roll(2)] ?? pool.mints[0]);
        const signature = await swap(trader, pool, mintIn, BigInt(1 + roll(60))).catch((error: unknown) => {
          if (
            error instanceof Error &&
            // Custom 1 is the token program's: the trader's own trade before took a part of these units.
            /PRICE_MOVED|rejected|BlockhashNotFound|Custom\W+1\}/.test(`${error.name} ${error.message}`)
          )
            return null;
          throw error;
        });
        if (signature !== null) signatures.push(signature);
      }
      return signatures;
    },
    publicKeyOf: (keypair: Keypair) => new PublicKey(keypair.publicKey),
  };
}
