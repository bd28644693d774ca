/** How this project's TypeScript is run: `node --import ./scripts/register.mjs <file>`. */
import 'tsx';
import './hold-back.mjs';
