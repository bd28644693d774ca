import { type Address, isAddress } from '@tradepost/solana';
import { hasCode } from '../../../core/errors/app-error.ts';
import { isDatabaseDown } from '../../../core/errors/database-down.ts';
import { type Form, type Page, type PageAnswer, type PageDeps, readForm, refusal } from './page.ts';

/**
 * A page about an address of the chain: `<folder>/<address>` for people, `.json` for programs, `.png` for previews. A text that is no
 * address, and a moment in which the chain or the database cannot be asked, are answered here.
 */
export function addressPage(
  folder: 'market' | 'token',
  words: { readonly away: string },
  answer: (deps: PageDeps, address: Address, form: Form) => Promise<PageAnswer>,
): Page {
  return {
    path: `/${folder}/:name`,
    handle: async (deps, { name }) => {
      const { word, form } = readForm(name);
      if (!isAddress(word)) {
        const sentence = `That is not the address of a ${folder}. Expected 32 to 44 letters and digits.`;
        return refusal(deps, form, {
          status: 400,
          code: 'ADDRESS_INVALID',
          title: 'Not an address',
          sentence,
        });
      }
      try {
        return await answer(deps, word, form);
      } catch (error) {
        if (!hasCode(error, 'CHAIN_UNREACHABLE') && !isDatabaseDown(error)) throw error;
        const sentence = `${words.away} could not be read just now. Please try again in a moment.`;
        return refusal(deps, form, { status: 503, code: 'UPSTREAM_FAILED', title: 'Not now', sentence });
      }
    },
  };
}
