/** Every tool's code by name. A name means the same in all suites that have it. */
import { banking } from './banking.js';
import { calendar } from './calendar.js';
import { cloudDrive } from './cloud-drive.js';
import type { Implementation } from './implementation.js';
import { inbox } from './inbox.js';
import { reservation } from './reservation.js';
import { slack } from './slack.js';
import { travel } from './travel.js';

export const IMPLEMENTATIONS: ReadonlyMap<string, Implementation> = new Map(
  [banking, slack, inbox, calendar, cloudDrive, travel, reservation].flatMap((group) =>
    Object.entries(group),
  ),
);
