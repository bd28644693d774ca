import type { Person } from '@tradepost/local-telegram';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Pause, Switch } from '../../src/engine/switches/rules.ts';
import { pauseSwitch, resumeSwitch } from '../../src/engine/switches/use/turn-switch.ts';
import type { Venue } from '../../src/platform/ports/venue.ts';
import { type JourneyRig, startJourneyRig, until } from './rig.ts';
import { sayAndWait, tapAndWait } from './token-wizard.ts';

const NORTH = 'venue:desk-north';
const SOUTH = 'venue:desk-south';
const actor = 'operator:test' as const;

/** Called when a transaction was planned over these and is about to be signed. */
let beforeSignature: ((venue: string) => Promise<void>) | null = null;

/** The two desks of the local chain as venues of their own, so that one can be paused and the other goes on. */
function apart([desk]: readonly Venue[]): readonly Venue[] {
  if (desk === undefined) throw new Error('the local chain has no desk');
  return ['Desk North', 'Desk South'].map((label) => {
    const name = label.toLowerCase().replace(' ', '-');
    const coSign = desk.coSign?.bind(desk);
    return {
      ...desk,
      name,
      pools: async (...mints) =>
        (await desk.pools(...mints))
          .filter((pool) => pool.label === label)
          .map((pool) => ({ ...pool, venue: name })),
      ...(coSign === undefined
        ? {}
        : {
            coSign: async (...asked) => {
              const signatures = await coSign(...asked);
              await beforeSignature?.(name);
              return signatures;
            },
          }),
    } satisfies Venue;
  });
}

let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('switches', { venues: apart });
});
afterEach(async () => {
  beforeSignature = null;
  for (const { what } of await rig.db.flags.pauses()) await resume(what);
  // What the venues ask remembers for a moment.
  for (const what of [NORTH, SOUTH] as const)
    await until(async () => (await rig.board.pauseOf(what)) === null);
});
afterAll(() => rig.stop());

const pause = (what: Switch, reason: string, end: number | null = null): Promise<Pause | null> =>
  pauseSwitch(rig, { what, reason, until: end, actor });
const resume = (what: Switch): Promise<Pause | null> => resumeSwitch(rig, { what, reason: 'mended', actor });

/** The confirm screen of a purchase; resolves to its button. */
async function toBuy(person: Person, sol: string): Promise<void> {
  await sayAndWait(person, rig.token('PUP').mint, /\n\S+( SOL)? · cap |No market/);
  await tapAndWait(person, '🟢 X', /How much SOL/);
  await sayAndWait(person, sol, /You get about/);
}

/** What every signed attempt of the person's last trade went over. */
async function signedOver(person: Person): Promise<readonly (readonly string[])[]> {
  const [intent] = await rig.intents(person);
  const attempts = await rig.db.intents.attempts(intent?.id ?? '');
  return attempts.map(({ terms }) =>
    [...new Set((terms?.route ?? []).map(({ pausedBy }) => String(pausedBy)))].toSorted(),
  );
}

/** Runs `act` when the first signature of the trade that is confirmed now is about to be made; resolves to its venue. */
function atFirstSignature(act: (venue: string) => Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    beforeSignature = async (venue) => {
      beforeSignature = null;
      await act(venue).then(() => resolve(venue), reject);
    };
  });
}

const theOther = (name: string): Switch => (`venue:${name}` === NORTH ? SOUTH : NORTH);

describe('a venue that is paused', () => {
  it('between the plan and the signature is not signed over: the trade is planned anew over another', async () => {
    const { person } = await rig.trader('Overtaken', 5n);
    await toBuy(person, '0.1');
    const paused = atFirstSignature((venue) => pause(`venue:${venue}`, 'it misquotes'));
    await tapAndWait(person, 'Confirm buy', /^Bought [\d,.]+ PUP for 0.1 SOL/);
    const venue = await paused;
    expect(await signedOver(person)).toEqual([[theOther(venue)]]);
  });

  it('after the confirmation is left out: the trade is planned over the others, within its terms', async () => {
    const { person } = await rig.trader('Waiter', 5n);
    await toBuy(person, '0.1');
    const put = atFirstSignature(() => pause('signing', 'a look'));
    await person.tap('Confirm buy');
    const venue = await put;
    const [intent] = await rig.intents(person);
    if (intent?.params.kind !== 'buy') throw new Error('no purchase');
    expect(new Set(intent.params.terms.route.map(({ pausedBy }) => pausedBy))).toContain(`venue:${venue}`);
    await pause(`venue:${venue}`, 'it misquotes');
    await resume('signing');
    await person.waitFor(/^Bought [\d,.]+ PUP for 0.1 SOL/);
    expect(await signedOver(person)).toEqual([[theOther(venue)]]);
    const [done] = await rig.db.intents.attempts(intent.id);
    expect(done?.terms?.minOut).toBeGreaterThanOrEqual(intent.params.terms.minOut);
  });

  it('with no other to trade over ends the trade unsigned, with a word to the person', async () => {
    const { person, wallet } = await rig.trader('Stranded', 5n);
    await toBuy(person, '0.1');
    const paused = atFirstSignature(() => Promise.all([pause(NORTH, 'x'), pause(SOUTH, 'x')]));
    await person.tap('Confirm buy');
    await paused;
    await person.waitFor(/No exchange trades this pair right now/);
    expect(await signedOver(person)).toEqual([]);
    expect(await rig.chain.balance(wallet.address)).toBe(5_000_000_000n);
  });
});

describe('a switch that refuses a confirmation', () => {
  it.each([
    [
      'en',
      'Confirm buy',
      /^Trading is paused by the operator until 2100-01-02 03:04:05 UTC: a <b>venue<\/b> misquotes\. Nothing was sent\. Your funds are untouched\./,
    ],
    [
      'es',
      'Confirmar compra',
      /^El comercio está en pausa por decisión del operador, hasta 2100-01-02 03:04:05 UTC: a <b>venue<\/b> misquotes\. No se envió nada\. Tus fondos no se tocan\./,
    ],
  ] as const)('says so in words, with reason and end: %s', async (language, confirm, words) => {
    const { person } = await rig.trader(`Refused ${language}`, 5n);
    await rig.services.guard.changeSettings({ userId: (await rig.user(person)).id, change: { language } });
    await sayAndWait(person, rig.token('PUP').mint, /\n\S+( SOL)? · cap /);
    await tapAndWait(person, language === 'es' ? '🟢 0,1' : '🟢 0.1', /You get about|Recibes/);
    await pause('trading', 'a <b>venue</b> misquotes', Date.UTC(2100, 0, 2, 3, 4, 5));
    await person.tap(confirm);
    await person.waitFor(words);
    expect(await rig.intents(person)).toEqual([]);
  });
});
