import { expect, it } from 'vitest';
import { COMMANDS } from '../../../scripts/ops/commands.ts';
import { jobs } from '../../../src/compose/jobs.ts';
import { routesOf } from '../../../src/compose/routes.ts';
import { RULES } from '../../../src/engine/intents/kinds/rules.ts';
import { ACT_NAMES, type Act, type Declared, ruleOf } from '../../../src/modules/guard/rules/acts.ts';
import { FEATURES } from '../../support/features.ts';

/** The acts that something declares; none for what only reads. */
function actsOf(declared: Declared): readonly Act[] {
  if (declared === 'reads') return [];
  return typeof declared === 'string' ? [declared] : declared;
}

const DECLARED: readonly (readonly [string, Declared])[] = [
  ...FEATURES.flatMap(({ name, taps, commands, forms, secrets = {}, hidden = [] }) => [
    ...Object.entries(taps).map(([tap, { act }]) => [`${name}:${tap}`, act] as const),
    ...commands.map(({ name: command, act }) => [`/${command}`, act] as const),
    ...hidden.map(({ name: command, act }) => [`/${command}`, act] as const),
    ...forms.map(({ id, act }) => [`form ${id}`, act] as const),
    ...Object.entries(secrets).map(([secret, { act }]) => [`secret ${name}:${secret}`, act] as const),
  ]),
  ...(['open', 'pro', 'charts'] as const).flatMap((host) =>
    routesOf(host).map(({ path, act }) => [path, act] as const),
  ),
  ...Object.values(jobs).map(({ name, act }) => [`job ${name}`, act] as const),
  ...COMMANDS.map(({ name, act }) => [`ops ${name}`, act] as const),
  ...Object.entries(RULES).map(([kind, { act }]) => [`intent ${kind}`, act] as const),
];

/** Rows that wait for the button of a neighbour, or that a judge or a job chooses. */
const WITHOUT_DOOR: readonly Act[] = ['order-fire', 'api-key-ask', 'api-key-claim'];

it('every button, form, secret, command, route, job and kind of intent declares acts that have a row', () => {
  expect(DECLARED.length).toBeGreaterThan(300);
  for (const [where, act] of DECLARED) {
    expect(act, where).toBeDefined();
    for (const one of actsOf(act)) expect(ACT_NAMES, where).toContain(one);
  }
});

it('every act has a door that declares it, but for those that something else chooses', () => {
  const declared = new Set(DECLARED.flatMap(([, act]) => actsOf(act)));
  expect(ACT_NAMES.filter((act) => !declared.has(act)).toSorted()).toEqual(WITHOUT_DOOR.toSorted());
});

it('what stops a kind of intent stops its act, before anything is asked', () => {
  for (const [kind, { act, stoppedBy }] of Object.entries(RULES)) {
    const others = stoppedBy.filter((what) => what !== 'signing');
    expect([...ruleOf(act).switches].toSorted(), kind).toEqual(others.toSorted());
  }
});

it('what ends something is never limited, takes no PIN and works while everything is frozen', () => {
  const stops = [
    'lock',
    'panic',
    'withdrawal-stop',
    'export-stop',
    'order-stop',
    'address-remove',
    'pin-undo',
    'cap-lower',
    'api-key-revoke',
  ] as const;
  for (const act of stops)
    expect(ruleOf(act), act).toMatchObject({
      pin: 'none',
      rate: null,
      frozen: 'allowed',
      wait: 'none',
      switches: [],
    });
});
