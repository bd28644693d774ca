import type { Module } from '../../compose/module.ts';
import type { World } from '../../compose/world.ts';
import { bind } from '../../core/bind.ts';
import type { Guard } from '../guard/index.ts';
import { helpFeature } from './chat/help.ts';
import { settingFeature } from './chat/index.ts';
import { startFeature } from './chat/start.ts';
import { changeSettings } from './use/change-settings.ts';

/** The settings of a person, which pass the gate. */
export function createSettings(_world: World, { guard }: { readonly guard: Guard }) {
  return { changeSettings: bind(changeSettings, guard.deps) };
}

/** The parts that it plugs in. */
export const settingsModule = {
  name: 'settings',
  features: [startFeature, settingFeature, helpFeature],
} satisfies Module;
