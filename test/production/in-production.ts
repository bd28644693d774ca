import { describe, it } from 'vitest';
import { missingServers } from './servers.ts';

/** Tests of the production shape: skipped with a sentence where a server is missing, unless REQUIRE_ALL=1 says that none may. */
export function describeInProduction(name: string, tests: () => void): void {
  const missing = missingServers();
  if (missing === null) describe(name, tests);
  else if (process.env['REQUIRE_ALL'] === '1') {
    it(name, () => {
      throw new Error(`REQUIRE_ALL=1, but this machine lacks ${missing}.`);
    });
  } else describe.skip(`${name}: skipped, this machine lacks ${missing}`, tests);
}
