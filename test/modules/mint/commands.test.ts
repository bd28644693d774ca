import { expect, it } from 'vitest';
import { createTokenFeature } from '../../../src/modules/mint/chat/index.ts';
import { revokeFeature } from '../../../src/modules/mint/chat/revoke.ts';
import type { BotContext } from '../../../src/platform/telegram/context.ts';
import type { Feature } from '../../../src/platform/telegram/feature.ts';

/** Takes the place of every dependency that a command without a database does not use. */
const anything: object = new Proxy(() => anything, { get: () => anything, apply: () => anything });
const depsWith = (launchpads: readonly string[]) =>
  new Proxy({}, { get: (_, key) => (key === 'launch' ? { launchpads } : anything) }) as never;

/** Where a command of a feature leads. */
async function leadsTo({ hidden = [] }: Feature, name: string): Promise<string> {
  const went: string[] = [];
  const turn = { go: async (feature: string, action: string) => void went.push(`${feature}:${action}`) };
  await hidden.find((command) => command.name === name)?.run({ turn } as BotContext);
  return went.join();
}

it('/launch opens the launch, and what can be made where there is no launchpad', async () => {
  expect(await leadsTo(createTokenFeature(depsWith(['desk'])), 'launch')).toBe('create_token:launch');
  expect(await leadsTo(createTokenFeature(depsWith([])), 'launch')).toBe('home:create');
});

it('/my_tokens opens the tokens that a person made', async () => {
  const feature = revokeFeature(depsWith([]));
  expect(await leadsTo(feature, 'my_tokens')).toBe('revoke:list');
  expect(feature.taps['list']).toBeDefined();
});
