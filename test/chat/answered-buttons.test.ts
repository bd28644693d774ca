import { expect, it } from 'vitest';
import { createFeatures } from '../../src/compose/features.ts';
import { filesOfRing } from '../support/rings.ts';

/** Stands for every dependency: features are made here, and nobody taps them. */
const anything: object = new Proxy(() => anything, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => 1 : anything),
  apply: () => anything,
});

const sources = filesOfRing('chat').map(({ path, text }) => ({ file: path, text }));

/** `const HOME = 'home'`: by file and name; what is exported by its name alone, too. */
const names = new Map(
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(/^(export )?const ([A-Z_]+) = '([a-z_]+)';$/gm)].flatMap(
      ([, exported, name = '', value = '']): [string, string][] =>
        exported === undefined
          ? [[`${file} ${name}`, value]]
          : [
              [`${file} ${name}`, value],
              [name, value],
            ],
    ),
  ),
);

/** The arguments of a call whose opening bracket ends at `from`, as they are written. */
function argumentsAt(text: string, from: number): readonly string[] {
  const found = [''];
  for (let at = from, depth = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
    if (depth < 0) break;
    if (letter === ',' && depth === 0) found.push('');
    else found[found.length - 1] += letter;
  }
  return found.map((argument) => argument.trim());
}

/** Every text that the argument can be; none for what is only known when it runs. */
function textsOf(file: string, argument = ''): readonly string[] {
  const literals = [...argument.matchAll(/'([a-z][a-z0-9_-]*)'/g)].map(([, text = '']) => text);
  if (literals.length > 0 && /^('[^']*'|[^()`]*\? '[^']*'\s*: '[^']*')$/.test(argument)) return literals;
  return [names.get(`${file} ${argument}`) ?? names.get(argument) ?? []].flat();
}

/** `feature:action` of every button whose two words stand in the source, with where it is made. */
function writtenButtons(): ReadonlyMap<string, string> {
  const buttons = new Map<string, string>();
  for (const { file, text } of sources) {
    for (const call of text.matchAll(/\b(?:nav|freshNav|act|freshAct)\(/g)) {
      const [, feature, action] = argumentsAt(text, call.index + call[0].length);
      for (const name of textsOf(file, feature)) {
        for (const what of textsOf(file, action)) buttons.set(`${name}:${what.replace(/-.*/, '')}`, file);
      }
    }
  }
  return buttons;
}

it('somebody answers every button', () => {
  const answered = new Set(
    createFeatures(anything as never).flatMap(({ name, taps }) =>
      Object.keys(taps).map((action) => `${name}:${action}`),
    ),
  );
  const written = writtenButtons();
  // Few enough are made up as they run that most of what is answered is found.
  expect(written.size).toBeGreaterThan(answered.size / 2);
  expect([...written].filter(([button]) => !answered.has(button))).toEqual([]);
});
