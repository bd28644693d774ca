import type { CompiledMessage, MessageCompiler } from '../../../platform/ports/chain.ts';

/**
 * The message in the first form that it fits. Version 0 without lookup tables says by itself whom it touches, to any wallet, explorer and
 * auditor. Version 1, where `version1` allows it, does so too and holds three times as much. Tables come last. Throws a RangeError when it
 * fits in no form.
 */
export function compileFitting(
  compiler: Pick<MessageCompiler, 'compile'>,
  { lookupTables = [], version1, ...input }: Parameters<MessageCompiler['compile']>[0],
): CompiledMessage {
  const forms = [
    input,
    ...(version1 === undefined ? [] : [{ ...input, version1 }]),
    ...(lookupTables.length === 0 ? [] : [{ ...input, lookupTables }]),
  ];
  for (const [index, form] of forms.entries()) {
    try {
      return compiler.compile(form);
    } catch (error) {
      if (!(error instanceof RangeError) || index === forms.length - 1) throw error;
    }
  }
  throw new RangeError('there is no form to compile');
}
