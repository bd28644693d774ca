import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { ApiKeySecrets } from '../../platform/ports/api-key-secrets.ts';
import { oneSubmission } from './api/one-submission.ts';
import { submit } from './api/submit.ts';
import { awaitSubmission } from './use/await-submission.ts';
import { createCallerLimits } from './use/caller-limits.ts';
import { createSubmissionStream } from './use/submission-stream.ts';
import { createSubmitTokens } from './use/submit-tokens.ts';
import { type SubmitDeps, submitTransaction } from './use/submit-transaction.ts';
import { createSubmissionWatch } from './use/watch-submissions.ts';

/** Transactions that callers signed; its watch follows them while it runs. */
export function createSubmissions(
  world: World,
  {
    owns,
    onEvent,
  }: {
    /** Whether this process follows that signature for its own intents. */
    readonly owns: (signature: string) => boolean;
    readonly onEvent: () => void;
  },
) {
  return { watch: createSubmissionWatch({ ...world, owns, onEvent }) };
}

type DeskDeps = Omit<SubmitDeps, 'tokens' | 'limits'> &
  Omit<Parameters<typeof createSubmitTokens>[0], 'secrets'> &
  Parameters<typeof createCallerLimits>[0] &
  Parameters<typeof createSubmissionStream>[0] & {
    /** Null: nothing can be proven to be built here. */
    readonly secrets: ApiKeySecrets | null;
  };

/** Takes transactions that callers signed, and reports where each one is. Only the host of the API has one. */
export function createSubmissionDesk(given: DeskDeps) {
  const { secrets, takes } = given;
  const tokens = secrets === null ? null : createSubmitTokens({ ...given, secrets });
  const deps = { ...given, tokens, limits: createCallerLimits(given) };
  return {
    tokenOf: (transaction: Uint8Array) => (takes === 'off' ? null : (tokens?.of(transaction) ?? null)),
    subscribe: createSubmissionStream(deps).subscribe,
    submit: bind(submitTransaction, deps),
    find: bind(awaitSubmission, deps),
  };
}

/** The parts that it plugs in. */
export const submissionsModule = {
  name: 'submissions',
  routes: [submit, oneSubmission],
} satisfies Module;
