import { type Arguments, isObject } from './service.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const START_LAMPORTS = 10_000_000_000n;

/** A refusal of the paper account. Nothing was booked. */
export class PaperError extends Error {
  override readonly name = 'PaperError';
}

type Quote = (input: Arguments, signal: AbortSignal) => Promise<unknown>;

/**
 * Pretended money: 10 SOL and no tokens. A trade books both amounts of its quote, in lamports and smallest units. Network fees and
 * rent are left out. Trades are booked one after the other, so two at once cannot spend the same lamports.
 */
export function createPaperAccount(quote: Quote) {
  let lamports = START_LAMPORTS;
  const tokens = new Map<string, { units: bigint; costLamports: bigint }>();
  let realizedLamports = 0n;
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(trade: () => Promise<T>): Promise<T> => {
    const mine = last.then(trade);
    last = mine.catch(() => null);
    return mine;
  };
  const state = () => ({
    lamports: lamports.toString(),
    realizedLamports: realizedLamports.toString(),
    tokens: [...tokens].map(([mint, { units, costLamports }]) => ({
      mint,
      units: units.toString(),
      costLamports: costLamports.toString(),
    })),
  });
  return {
    /** The present state. */
    state,
    /** Spends `lamports` on `mint`. Rejects with PaperError, or as the quote does. */
    buy: (input: Arguments, signal: AbortSignal) =>
      inTurn(async () => {
        const [mint, spent] = [mintOf(input), amountOf(input, 'lamports')];
        if (spent > lamports) throw new PaperError(`the paper account has ${lamports} lamports`);
        const got = await received(quote, { from: SOL, to: mint, amount: spent, input }, signal);
        const held = tokens.get(mint) ?? { units: 0n, costLamports: 0n };
        lamports -= spent;
        tokens.set(mint, { units: held.units + got, costLamports: held.costLamports + spent });
        return { bought: { mint, units: got.toString(), lamports: spent.toString() }, account: state() };
      }),
    /** Sells `units` of `mint`, or all. The cost of the sold part is rounded up. Rejects with PaperError, or as the quote does. */
    sell: (input: Arguments, signal: AbortSignal) =>
      inTurn(async () => {
        const mint = mintOf(input);
        const held = tokens.get(mint);
        if (held === undefined) throw new PaperError('the paper account has none of this token');
        const units = input['units'] === undefined ? held.units : amountOf(input, 'units');
        if (units > held.units)
          throw new PaperError(`the paper account has ${held.units} units of this token`);
        const got = await received(quote, { from: mint, to: SOL, amount: units, input }, signal);
        const cost = (held.costLamports * units + held.units - 1n) / held.units;
        lamports += got;
        realizedLamports += got - cost;
        if (units === held.units) tokens.delete(mint);
        else tokens.set(mint, { units: held.units - units, costLamports: held.costLamports - cost });
        return { sold: { mint, units: units.toString(), lamports: got.toString() }, account: state() };
      }),
  };
}

function mintOf(input: Arguments): string {
  const { mint } = input;
  if (typeof mint !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(mint))
    throw new PaperError('mint: expected the address of a token');
  if (mint === SOL) throw new PaperError('mint: expected another token than SOL');
  return mint;
}

function amountOf(input: Arguments, name: string): bigint {
  const value = input[name];
  if (typeof value !== 'string' || !/^[1-9]\d{0,19}$/.test(value))
    throw new PaperError(`${name}: expected a text of digits, from 1 up`);
  return BigInt(value);
}

async function received(
  quote: Quote,
  trade: { readonly from: string; readonly to: string; readonly amount: bigint; readonly input: Arguments },
  signal: AbortSignal,
): Promise<bigint> {
  const { slippageBps } = trade.input;
  const answer = await quote(
    {
      fromTokenAddress: trade.from,
      toTokenAddress: trade.to,
      amount: trade.amount.toString(),
      ...(slippageBps === undefined ? {} : { slippageBps }),
    },
    signal,
  );
  const units = isObject(answer) ? answer['toTokenAmount'] : null;
  if (typeof units !== 'string' || !/^\d{1,20}$/.test(units))
    throw new PaperError('the service answered a quote without toTokenAmount');
  return BigInt(units);
}
