import type { Address } from '@tradepost/solana';
import type { Chain, Testimony } from '../../../platform/ports/chain.ts';
import { type Agreement, agreementOf } from '../rules/agreement.ts';

/** A second node that has not answered so long after the first is not waited for. */
const SECOND_WITHIN_MS = 800;

export type AskAgreement = (signature: string, wallet: Address) => Promise<Agreement>;

/**
 * Asks two nodes of different hosts about a transaction at once. Where there is one host, or the second does not answer within 800 ms
 * of the first, the one is the only source. Throws CHAIN_UNREACHABLE when neither answers.
 */
export function createAgreement(deps: {
  readonly chain: Pick<Chain, 'testimony'>;
  readonly pause: (ms: number) => Promise<void>;
  /** The node is the chain itself, as the local one in this process: its word is two. */
  readonly nodeIsChain?: boolean;
}): AskAgreement {
  let hosts = 2;
  return async (signature, wallet) => {
    const rounds = hosts > 1 ? [0, 1] : [0];
    const said = await heard(
      rounds.map((round) => deps.chain.testimony(signature, round)),
      deps.pause,
    );
    hosts = said[0]?.endpoints ?? hosts;
    const byHost = new Map(said.map((one) => [one.endpoint, one]));
    const agreement = agreementOf(wallet, [...byHost.values()]);
    return deps.nodeIsChain === true && agreement.kind === 'agreed'
      ? { ...agreement, sources: 2 }
      : agreement;
  };
}

/** Answers in their order: the first to come, and each other within the limit after it. Throws the first error where none came. */
async function heard(
  asked: readonly Promise<Testimony>[],
  pause: (ms: number) => Promise<void>,
): Promise<readonly Testimony[]> {
  const settled = asked.map((one) =>
    one.then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    ),
  );
  const late = Promise.any(asked).then(
    () => pause(SECOND_WITHIN_MS),
    () => undefined,
  );
  const answers = await Promise.all(settled.map((one) => Promise.race([one, late.then(() => null)])));
  const good = answers.flatMap((one) => (one !== null && 'answer' in one ? [one.answer] : []));
  if (good.length > 0) return good;
  for (const one of await Promise.all(settled)) if ('error' in one) throw one.error;
  return [];
}
