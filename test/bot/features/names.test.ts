import { expect, it } from 'vitest';
import { COMMANDS } from '../../../src/bot/feature.ts';
import { createFeatures } from '../../../src/bot/features/index.ts';

/** Stands for every dependency: features are made here, and nobody taps them. */
const anything: object = new Proxy(() => anything, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => 1 : anything),
  apply: () => anything,
});
const FEATURES = createFeatures(anything as never);
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
