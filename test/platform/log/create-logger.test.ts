import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../src/platform/log/create-logger.ts';

function lines(act: (log: ReturnType<typeof createLogger>) => void): readonly Record<string, unknown>[] {
  const written: string[] = [];
  act(createLogger('debug', { write: (line) => void written.push(line) }));
  return written.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the logger', () => {
  it('prints amounts as digits and says how many bytes it was given, never which', () => {
    const [line] = lines((log) =>
      log.info({ lamports: 5n, seed32: new Uint8Array(32).fill(7), buffer: Buffer.from('key') }, 'x'),
    );
    expect(line).toMatchObject({
      level: 'info',
      msg: 'x',
      lamports: '5',
      seed32: '[32 bytes]',
      buffer: '[bytes]',
    });
    expect(JSON.stringify(line)).not.toMatch(/7,7,7|a2V5|"key"/);
  });

  it('redacts values under secret names at three levels', () => {
    const [line] = lines((log) =>
      log.warn({ token: '1:canary', user: { pin: 'canary' }, a: { b: { password: 'canary' } } }, 'x'),
    );
    expect(JSON.stringify(line)).not.toContain('canary');
  });

  it('keeps name, message and stack of an error, and a child logger keeps its bindings', () => {
    const [line] = lines((log) =>
      log.child({ module: 'worker' }).error({ error: new RangeError('odd') }, 'x'),
    );
    expect(line).toMatchObject({ module: 'worker', error: { name: 'RangeError', message: 'odd' } });
  });
});
