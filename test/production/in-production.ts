import { afterEach, beforeEach, describe, it } from 'vitest';
import { missingServers } from './servers.ts';

/**
 * A story in the production shape, told in order: after a chapter that failed the rest is skipped. Skipped as a whole, with a
 * sentence, where a server is missing, unless REQUIRE_ALL=1 says that none may.
 */
export function describeInProduction(name: string, tests: () => void): void {
  const missing = missingServers();
  if (missing === null) describe(name, () => inOrder(tests));
  else if (process.env['REQUIRE_ALL'] === '1') {
    it(name, () => {
      throw new Error(`REQUIRE_ALL=1, but this machine lacks ${missing}.`);
    });
  } else describe.skip(`${name}: skipped, this machine lacks ${missing}`, tests);
}

function inOrder(tests: () => void): void {
  let isBroken = false;
  beforeEach((context) => context.skip(isBroken, 'an earlier chapter failed'));
  afterEach(({ task }) => {
    isBroken ||= task.result?.state === 'fail';
  });
  tests();
}
