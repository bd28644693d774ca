import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLES } from '../../src/config/process.ts';
import { backup } from './chapters/backup.ts';
import { kills } from './chapters/kills.ts';
import { operatorTools } from './chapters/operator-tools.ts';
import { outages } from './chapters/outages.ts';
import { start } from './chapters/start.ts';
import { describeInProduction } from './in-production.ts';
import { createShape, type Shape } from './shape.ts';

describeInProduction('The production shape', () => {
  let shape: Shape;
  const at = (): Shape => shape;
  beforeAll(async () => {
    shape = await createShape({ settings: { GAMES: 'on', CONVERT: 'on' } });
    process.stderr.write(`The production shape without Docker: ${shape.walls}.\n`);
    await shape.startAll();
  });
  afterAll(() => shape?.close());

  start(at);
  kills(at);
  outages(at);
  operatorTools(at);
  backup(at);

  it('asked nothing of the database that its role may not do', () => {
    const refusals = at()
      .postgres.said()
      .matchAll(/^(\w*): ERROR: {2}permission denied.*$/gm);
    expect([...new Set([...refusals].map(([line]) => line))]).toEqual([]);
  });

  it.each(ROLES)('%s writes JSON alone, and ends with 0 on SIGTERM', async (role) => {
    const running = shape.role(role);
    expect(await running.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    for (const line of running.said().trim().split('\n')) expect(() => JSON.parse(line), line).not.toThrow();
  });
});
