import type { CompiledMessage, MessageCompiler } from '../../../platform/ports/chain.ts';

/**
 * The message without lookup tables where it fits a packet so: then it says by itself whom it touches, to any wallet,
 * explorer and auditor. With them where it does not. Throws a RangeError when it fits neither way.
 */
export function compileFitting(
  compiler: Pick<MessageCompiler, 'compile'>,
  { lookupTables = [], ...input }: Parameters<MessageCompiler['compile']>[0],
): CompiledMessage {
  if (lookupTables.length === 0) return compiler.compile(input);
  try {
    return compiler.compile(input);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return compiler.compile({ ...input, lookupTables });
  }
}
