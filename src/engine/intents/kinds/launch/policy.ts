import type { Address, Instruction } from '@tradepost/solana';
import { assertNever } from '../../../../core/errors/assert-never.ts';
import { deskLaunchInstructions } from '../../../../modules/launch/rules/desk-instructions.ts';
import { tokenProgramOf } from '../../../../modules/mint/rules/mint-size.ts';
import { decodeInstruction } from '../../../signing/rules/decode-instruction.ts';
import type { KindPolicy } from '../../../signing/rules/kind-policy.ts';
import { isPadLaunch } from '../../../signing/rules/pad-call-rule.ts';
import { deny, type PolicyRule } from '../../../signing/rules/policy-rule.ts';
import { expectedCreation, sameInstructions } from '../../../signing/rules/token-rules.ts';
import { opensForWrapping, wrapsInto } from '../../../signing/rules/wrapped-account.ts';
import type { LaunchParams } from './params.ts';

/** The desk's own list, rebuilt, or a pad's program with nothing beside it that could move more than was agreed. */
export const policy: KindPolicy<LaunchParams> = {
  coSigners: 1,
  mayLookUp: true,
  tierOf: ({ tier }) => tier,
  tipOf: ({ tip }) => tip,
  judge: ({ instructions: own, signers }, params, { wallet, treasury, venuePrograms }) => {
    const parties = { wallet, treasury, signers, venuePrograms };
    if (params.program === null) {
      if (!isDeskLaunch(own, params, parties)) deny('instruction');
      return;
    }
    const broken = brokenLaunchRule(own, params, parties);
    if (broken !== null) deny(broken);
  },
};

type Parties = {
  readonly wallet: Address;
  readonly treasury: Address;
  readonly signers: readonly Address[];
  /** Programs of the venues that this process trades on; a pad's is one of them. */
  readonly venuePrograms: readonly Address[];
};

/** Rent of a wrapped-SOL account stays well below this. */
const RENT_ALLOWANCE = 5_000_000n;

/**
 * A launch at a pad's program. It has the fee to the treasury and the creator's own account of the new mint. It has wrapped SOL for the
 * first buy and no more, opened and closed here. It has that one program's calls as the row has them. The simulation bounds the program's
 * other use of the creator's lamports. Returns the rule that is broken, or null.
 */
function brokenLaunchRule(
  own: readonly Instruction[],
  params: LaunchParams,
  { wallet, treasury, signers, venuePrograms }: Parties,
): PolicyRule | null {
  const mint = signers[1];
  if (signers.length !== 2 || mint === undefined) return 'signers';
  let [fee, funded] = [0n, 0n];
  let holding: Address | null = null;
  const opened = new Set<Address>();
  const closed = new Set<Address>();
  const calls: Instruction[] = [];
  for (const instruction of own) {
    const action = decodeInstruction(instruction);
    switch (action.kind) {
      case 'transfer-sol':
        if (action.to !== treasury) return 'sol-destination';
        fee += action.lamports;
        break;
      case 'create-associated':
        if (action.owner !== wallet || action.mint !== mint) return 'account-opening';
        holding = action.account;
        break;
      case 'create-seeded':
        if (!opensForWrapping(action, wallet) || opened.size > 0) return 'account-opening';
        opened.add(action.account);
        funded += action.lamports;
        break;
      case 'open-token-account':
        if (!opened.has(action.account) || !wrapsInto(action, wallet)) return 'account-opening';
        break;
      case 'close-token-account':
        if (!closesInto(action, wallet) || !opened.has(action.account)) return 'account-closing';
        closed.add(action.account);
        break;
      case 'foreign':
      case 'swap-call':
        if (action.programId !== params.program || !venuePrograms.includes(action.programId))
          return 'program';
        calls.push(instruction);
        break;
      case 'memo':
      case 'compute-limit':
      case 'compute-price':
        break;
      case 'transfer-token':
      case 'harvest-fees':
      case 'withdraw-excess':
      case 'router-call':
      case 'forbidden':
        return 'instruction';
      default:
        return assertNever(action);
    }
  }
  if (isTooMuch(params, fee, opened.size > 0 ? funded : 0n)) return 'sol-amount';
  if (![...opened].every((account) => closed.has(account))) return 'account-closing';
  const [wrapped = null] = opened;
  return isPadLaunch(calls, params, { wallet, mint, holding, wrapped }) ? null : 'instruction';
}

function closesInto(
  action: { readonly destination: Address; readonly authority: Address },
  wallet: Address,
): boolean {
  return action.destination === wallet && action.authority === wallet;
}

/** More than the agreed fee, or more wrapped SOL than the first buy and a rent take. */
function isTooMuch(params: LaunchParams, fee: bigint, wrapped: bigint): boolean {
  return fee > params.feeLamports || wrapped > (params.firstBuy?.lamports ?? 0n) + RENT_ALLOWANCE;
}

/**
 * A launch at the desk: the creation that its row describes, byte for byte, then the curve's own list. From the message come only the mint,
 * derived addresses, the rent, and the division of the supply. That division may leave the creator no less than the first buy's minimum.
 */
export function isDeskLaunch(
  own: readonly Instruction[],
  params: LaunchParams,
  parties: Omit<Parties, 'venuePrograms'>,
): boolean {
  const mint = parties.signers[1];
  const creation = expectedCreation(
    own,
    {
      kind: 'create-token',
      spec: params.spec,
      way: 'native',
      uri: params.uri,
      metadataHash: params.metadataHash,
      recordLamports: 0n,
      mintRentLamports: rentOf(own),
      holdingRentLamports: 0n,
      feeLamports: params.feeLamports,
      tier: params.tier,
    },
    parties,
  );
  if (creation === null || mint === undefined) return false;
  if (!sameInstructions(own.slice(0, creation.length), creation)) return false;
  const rest = own.slice(creation.length);
  const [openA, openB, moved, paid] = rest.map(decodeInstruction);
  const holding = own.map(decodeInstruction).find((action) => action.kind === 'create-associated')?.account;
  if (openA?.kind !== 'create-associated' || openB?.kind !== 'create-associated' || holding === undefined)
    return false;
  if (moved?.kind !== 'transfer-token') return false;
  const { firstBuy, spec } = params;
  const kept = spec.supply - moved.amount;
  if (firstBuy === null ? kept !== 0n : kept < firstBuy.minTokens) return false;
  const firstBuyLamports = paid?.kind === 'transfer-sol' ? paid.lamports : 0n;
  if (firstBuyLamports > (firstBuy?.lamports ?? 0n)) return false;
  return sameInstructions(
    rest,
    deskLaunchInstructions({
      creator: parties.wallet,
      mint,
      tokenProgram: tokenProgramOf(spec),
      decimals: spec.decimals,
      holding,
      maker: openA.owner,
      vaultA: openA.account,
      vaultB: openB.account,
      curveTokens: moved.amount,
      firstBuyLamports,
    }),
  );
}

/** Lamports of the one CreateAccount; its rent is bounded by the simulation. */
function rentOf(own: readonly Instruction[]): bigint {
  const creation = own.find(({ data }) => data.length === 52);
  if (creation === undefined) return 0n;
  return new DataView(creation.data.buffer, creation.data.byteOffset, 52).getBigUint64(4, true);
}
