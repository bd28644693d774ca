import type { Address } from '@tradepost/solana';
import type { MintFacts, Pool } from '@tradepost/venues';
import type { Programs } from '../../ports/programs.ts';
import type { DeskPoolRecord } from './desk-client.ts';
import { deskSwapInstructions } from './instruction.ts';
import { type DeskSide, gainOf, grossOut, netOut, spotRate } from './quote.ts';

type DeskPoolInput = {
  readonly programs: Programs;
  readonly record: DeskPoolRecord;
  readonly mintA: MintFacts;
  readonly mintB: MintFacts;
  readonly balanceA: bigint;
  readonly balanceB: bigint;
  readonly epoch: bigint;
  readonly slot: bigint;
};

/** A desk pool over its balances at one slot. `record` names the accounts, the chain gives their balances. */
export function deskPool(input: DeskPoolInput): Pool {
  const { record, mintA, mintB } = input;
  const { a, b } = vaultsOf(input);

  const sidesFor = (mintIn: Address) => {
    if (mintIn === mintA.mint) return { paid: a, given: b };
    if (mintIn === mintB.mint) return { paid: b, given: a };
    throw new RangeError(`pool ${record.id} does not trade ${mintIn}`);
  };
  const terms = (mintIn: Address): DeskSide => termsOf(sidesFor(mintIn), record.feeBps, input.epoch);

  return {
    id: record.id,
    venue: 'desk',
    label: record.desk,
    mints: [mintA.mint, mintB.mint],
    slot: input.slot,
    shape: {
      kind: 'launch-curve',
      virtualReserves: [a.balance + a.virtual, b.balance + b.virtual],
      realReserves: [a.balance, b.balance],
    },
    gains: [gainOf(terms(mintA.mint)), gainOf(terms(mintB.mint))],
    exactOut: true,
    quote: (mintIn, amountIn) => netOut(terms(mintIn), amountIn),
    spot: (mintIn) => spotRate(terms(mintIn)),
    swap: (order) => {
      const side = terms(order.mintIn);
      const got = netOut(side, order.amountIn);
      // The maker pays an exact amount, so the minimum is enforced here or nowhere.
      if (got === 0n || got < order.minOut) {
        throw new RangeError(`pool ${record.id} gives ${got}, the order wants at least ${order.minOut}`);
      }
      const { paid, given } = sidesFor(order.mintIn);
      return deskSwapInstructions(input.programs, record.id, order, {
        mintIn: paid.facts,
        mintOut: given.facts,
        vaultIn: paid.vault,
        vaultOut: given.vault,
        grossOut: grossOut(side, order.amountIn),
      });
    },
  };
}

type DeskVault = {
  readonly facts: MintFacts;
  readonly vault: Address;
  readonly balance: bigint;
  readonly virtual: bigint;
};

function vaultsOf({ record, ...input }: DeskPoolInput): Readonly<Record<'a' | 'b', DeskVault>> {
  return {
    a: {
      facts: input.mintA,
      vault: record.vaultA,
      balance: input.balanceA,
      virtual: record.virtualA,
    },
    b: {
      facts: input.mintB,
      vault: record.vaultB,
      balance: input.balanceB,
      virtual: record.virtualB,
    },
  };
}

function termsOf(
  { paid, given }: { readonly paid: DeskVault; readonly given: DeskVault },
  feeBps: DeskPoolRecord['feeBps'],
  epoch: bigint,
): DeskSide {
  return {
    vaultIn: paid.balance,
    vaultOut: given.balance,
    virtualIn: paid.virtual,
    virtualOut: given.virtual,
    feeBps,
    transferFeeIn: paid.facts.extensions.transferFee,
    transferFeeOut: given.facts.extensions.transferFee,
    epoch,
  };
}
