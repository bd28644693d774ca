import { AppError } from '../../core/errors/app-error.ts';
import { createHttpPost } from '../http-post.ts';
import type { Chain } from '../ports/chain.ts';
import { createRent, RENT_SYSVAR } from './rent.ts';
import { readAccounts } from './wire-answers.ts';

const TIMEOUT_MS = 5_000;

/**
 * Reads accounts and the rent, which is one, and nothing else, without web3.js, for the signer’s process: it looks at wallets and at the
 * operator’s lookup tables itself.
 * Asks the addresses in their order until one answers. Throws CHAIN_UNREACHABLE.
 */
export function createAccountReader(urls: readonly string[]): Pick<Chain, 'accounts' | 'rentExemption'> {
  const nodes = urls.map((url) => ({ host: new URL(url).host, post: createHttpPost(url, TIMEOUT_MS) }));
  const accounts: Chain['accounts'] = async (addresses) => {
    const params = [addresses, { encoding: 'base64', commitment: 'confirmed' }];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params });
    let failure: unknown = null;
    for (const { post } of nodes) {
      try {
        const answer: unknown = JSON.parse(await post(body));
        const result =
          typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : null;
        return readAccounts(result, addresses.length);
      } catch (error) {
        failure = error;
      }
    }
    const endpoint = nodes.map(({ host }) => host).join(', ');
    throw new AppError('CHAIN_UNREACHABLE', { endpoint, cause: 'no node answered' }, { cause: failure });
  };
  const rent = createRent(async () => (await accounts([RENT_SYSVAR])).accounts[0] ?? null, {
    now: () => performance.now(),
  });
  return { accounts, rentExemption: (bytes) => rent.exemption(bytes) };
}
