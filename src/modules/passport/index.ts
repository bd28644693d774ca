import type { Module } from '../../compose/module.ts';
import { passportPages } from './pages/index.ts';

/** The parts that it plugs in. */
export const passportModule = {
  name: 'passport',
  pages: [passportPages],
} satisfies Module;
