import type { Kind } from './kinds.ts';

/** A fault that a run plants in the product's sources before they are bundled. The judge must find it by one of these rules. */
export type Plant = {
  /** Each text is once in its file. */
  readonly changes: readonly { readonly path: string; readonly from: string; readonly to: string }[];
  readonly found: readonly string[];
  /** The kinds of calls that show it soonest. */
  readonly kinds: readonly Kind[];
};

/** `npm run torture -- --calls 300 --plant NAME` must fail, and name the fault. */
export const PLANTS = {
  /** The bytes go out before their row is committed: who dies between the two has sent what no one follows. */
  'sent-before-kept': {
    changes: [
      {
        path: 'src/modules/submissions/use/submit-transaction.ts',
        from: `const isNew = await submissions.insert(submission);`,
        to: `await chain.send(submission.transaction ?? new Uint8Array(), sendByOf(submission.way));
  const isNew = await submissions.insert(submission);`,
      },
      {
        path: 'src/modules/submissions/use/submit-transaction.ts',
        from: `const { submissions, wake } = deps;`,
        to: `const { submissions, wake, chain } = deps;`,
      },
    ],
    found: ['bytes-before-commit'],
    kinds: ['transfer'],
  },
  /** The SDK takes the end of its patience for the end of the transaction, and builds the next one. */
  'patience-is-the-end': {
    changes: [
      {
        path: 'packages/sdk/src/submit-and-follow.ts',
        from: `if (!(error instanceof EndUnknownError)) throw error;`,
        to: `if (!(error instanceof EndUnknownError)) throw error;
    if (error.last !== null) return { ...error.last, status: 'expired', final: true };`,
      },
    ],
    found: ['built-anew-too-early', 'twice'],
    kinds: ['sdk-swap'],
  },
  /** The first node's word is the last valid height: one that is too low calls a living transaction dead. */
  'height-of-one-node': {
    changes: [
      {
        path: 'src/modules/submissions/use/follow-submission.ts',
        from: `index < endpoints && heights.size < 2;`,
        to: `index < endpoints && heights.size < 1;`,
      },
      {
        path: 'src/modules/submissions/use/follow-submission.ts',
        from: `if (heights.size < Math.min(2, endpoints)) return submission;`,
        to: `if (heights.size < 1) return submission;`,
      },
    ],
    found: ['wrong-word', 'word-before-finality'],
    kinds: ['transfer', 'cannot-land'],
  },
  /** One node's word that it is over is enough. */
  'death-by-one-node': {
    changes: [
      {
        path: 'src/engine/intents/rules/death.ts',
        from: `first.endpoint !== second.endpoint ||
        (Math.max`,
        to: `first === second ||
        (Math.max`,
      },
    ],
    found: ['wrong-word', 'word-before-finality'],
    kinds: ['transfer', 'cannot-land'],
  },
  /** The key of a request is known to the process that first saw it, and forgotten with it. */
  'key-of-a-process': {
    changes: [
      {
        path: 'src/platform/http/idempotency.ts',
        from: `scope: hash(\`\${request.operation}\\0\${request.caller.id}\`),`,
        to: `scope: hash(\`\${request.operation}\\0\${request.caller.id}\${process.pid}\`),`,
      },
    ],
    found: ['built-anew-too-early', 'twice'],
    kinds: ['sdk-swap'],
  },
  /** A block that most validators voted for is taken for a final one. */
  'confirmed-is-final': {
    changes: [
      {
        path: 'src/modules/submissions/use/follow-submission.ts',
        from: `if (found?.level === 'finalized') return isLandingDue`,
        to: `if (found !== null && found.level !== 'processed') return isLandingDue`,
      },
      {
        path: 'src/modules/submissions/use/follow-submission.ts',
        from: `if (status === null || status.level !== 'finalized') return null;`,
        to: `if (status === null || status.level === 'processed') return null;`,
      },
    ],
    found: ['word-before-finality'],
    kinds: ['transfer'],
  },
} as const satisfies Record<string, Plant>;

export type PlantName = keyof typeof PLANTS;

/** The source with the changes that are for it. Throws where a change's text does not stand there exactly once. */
export function planted({ changes }: Pick<Plant, 'changes'>, path: string, text: string): string {
  return changes
    .filter((change) => change.path === path)
    .reduce((changed, { from, to }) => {
      if (changed.split(from).length !== 2) throw new Error(`${path}: expected once: ${from}`);
      return changed.replace(from, () => to);
    }, text);
}
