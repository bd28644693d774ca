import { expect, it } from 'vitest';
import { BORROWED_COMMANDS, COMMANDS } from '../../src/platform/telegram/feature.ts';
import { FEATURES } from '../support/features.ts';

const twice = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) !== index);

/** Of two that share a name the router would answer by one alone, without a word about the other. */
it('no two features, commands or dialogues share a name', () => {
  expect(twice(FEATURES.map(({ name }) => name))).toEqual([]);
  expect(
    twice(FEATURES.flatMap(({ commands, hidden = [] }) => [...commands, ...hidden].map(({ name }) => name))),
  ).toEqual([]);
  expect(twice(FEATURES.flatMap(({ forms }) => forms.map(({ id }) => id)))).toEqual([]);
  expect(twice(['a', 'b', 'a'])).toEqual(['a']);
});

it('every published command is answered by a feature', () => {
  expect(FEATURES.flatMap(({ commands }) => commands.map(({ name }) => name)).toSorted()).toEqual(
    COMMANDS.toSorted(),
  );
});

/** These open questions alone, whose answers have to be the person's own. */
const ASKING = ['withdraw_sol', 'withdraw_spl'];

it('every command that acts asks first when its words are borrowed, with a tap that there is', () => {
  const commands = FEATURES.flatMap(({ commands: published, hidden = [] }) => [...published, ...hidden]);
  expect(commands.map(({ name }) => name).toSorted()).toEqual(Object.keys(BORROWED_COMMANDS).toSorted());
  for (const { name, act } of commands) {
    const does = BORROWED_COMMANDS[name];
    expect([name, does === 'reads'], name).toEqual([name, act === 'reads' || ASKING.includes(name)]);
    if (does === 'reads') continue;
    const taps = FEATURES.find((feature) => feature.name === does.feature)?.taps ?? {};
    expect(taps[does.action]?.act).toBe(act);
  }
});
