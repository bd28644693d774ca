import type { FeatureDeps } from '../../deps.ts';
import type { Feature } from '../../feature.ts';
import { exportSteps } from './export.ts';
import { importSteps } from './import.ts';

/** A wallet's key out, in an encrypted file only, and in. */
export function backupFeature(deps: FeatureDeps): Feature {
  const out = exportSteps(deps);
  const into = importSteps(deps);
  return {
    name: 'backup',
    commands: [],
    taps: { start: { run: out.start }, import: { run: into.start } },
    forms: [],
    secrets: { ...out.secrets, ...into.secrets },
  };
}
