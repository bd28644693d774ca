import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JourneyRig, startJourneyRig } from './rig.ts';
import { labels, sayAndWait, tapAndWait } from './token-wizard.ts';

const SOL = 1_000_000_000n;
let rig: JourneyRig;
beforeAll(async () => {
  rig = await startJourneyRig('typed words', { spendCapLamports: 100n * SOL });
});
afterAll(() => rig.stop());

/** Words that people type at any screen, and their answers. */
const SAID: readonly (readonly [string, RegExp])[] = [
  ['buy 0.3 pup', /^Buy PUP for 0\.3 SOL/],
  ['vender', /^Positions/],
  ['comprar pup', /^PUP Puppy/],
  ['gm', /Send a name/],
  ['0.5 SOL', /Which token for 0\.5 SOL/],
  ['buy', /Which token/],
  ['buy -1 pup', /above zero|negative|is not an amount/i],
  ['buy 1e9 pup', /is not an amount/],
  ['buy 0,5,5 pup', /is not an amount/],
  ['comprar 0,3 pup', /^Buy PUP for 0\.3 SOL/],
  ['buy 1,500 pup', /“1,500” can be read in two ways/],
  ['buy 1 nosuchtoken', /nosuchtoken/],
];

describe('words typed at a screen', () => {
  it('are answered at each screen, and open the confirm screen at most', async () => {
    const { person } = await rig.trader('Typist', 3n);
    const onForm = async (): Promise<void> => {
      await sayAndWait(person, rig.token('PUP').mint, /\n\S+( SOL)? · cap /);
      await tapAndWait(person, 'Limit', /Limit buy/);
    };
    const screens: readonly (() => Promise<unknown>)[] = [
      () => sayAndWait(person, '/home', /Send a name/),
      () => sayAndWait(person, rig.token('PUP').mint, /\n\S+( SOL)? · cap /),
      onForm,
      () => sayAndWait(person, '/positions', /Positions/),
      () => sayAndWait(person, '/orders', /Orders/),
      () => sayAndWait(person, '/setting', /Settings/),
    ];
    for (const screen of screens) {
      for (const [text, answer] of SAID) {
        // An amount alone is a price there: `typed-on-forms.test.ts`.
        if (screen === onForm && text === '0.5 SOL') continue;
        await screen();
        await person.say(text);
        await person.waitFor(answer);
      }
    }
    expect(await rig.intents(person)).toEqual([]);
  });

  it.each([
    ['en', 'gm', /\nSend a name/],
    ['es', 'hola', /\nEnvía nombre/],
    ['es', 'vender', /^Posiciones/],
    ['en', 'buy 0.3 pup', /^Buy PUP for 0\.3 SOL/],
    ['es', 'comprar 0,3 pup', /^¿Comprar PUP con 0,3 SOL\?/],
  ] as const)('are answered at the question which token, too (%s: %s)', async (language, text, answer) => {
    const { person } = await rig.trader(`Asked ${text}`, 3n);
    const { id: userId } = await rig.user(person);
    await rig.services.guard.changeSettings({ userId, change: { language } });
    await sayAndWait(person, '/trade', /Which token|Qué token/);
    await sayAndWait(person, text, answer);
    // The question is over.
    await sayAndWait(person, 'gm', /\n(Send a name|Envía nombre)/);
    expect(await rig.intents(person)).toEqual([]);
  });

  it('never trade by themselves, also where trades are not confirmed, and name both ends of a sale', async () => {
    const { person } = await rig.trader('Direct', 3n);
    await sayAndWait(person, '/setting', /Settings/);
    await person.tap('Confirm ✓');
    await person.waitFor((_text, message) => labels(message).includes('Confirm: off'));
    const asked = await sayAndWait(person, 'buy 0.5 pup', /^Buy PUP for 0\.5 SOL/);
    expect(labels(asked)).toContain('Confirm buy');
    expect(await rig.intents(person)).toEqual([]);
    await tapAndWait(person, 'Confirm buy', /^Bought/);
    const sale = await sayAndWait(person, 'vender 50% pup', /^Sell/);
    expect(labels(sale)).toContain('Confirm sell');
    expect(await rig.intents(person)).toHaveLength(1);
  });
});
