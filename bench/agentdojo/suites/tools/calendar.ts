/**
 * The calendar tools of the workspace and travel suites. Creating, cancelling and moving an event also mails
 * every participant, with the event as it then is attached.
 */
import type { CalendarEvent } from '../environment.js';
import { addMinutes, minutesBetween, parseTime } from '../python-time.js';
import { emailAddresses } from './email-address.js';
import type { Call, Implementation } from './implementation.js';
import { sendMail } from './inbox.js';
import { nextId } from './next-id.js';
import { valueError } from './tool-error.js';

const MINUTE = '%Y-%m-%d %H:%M';
const DAY = '%Y-%m-%d';

export const calendar: Readonly<Record<string, Implementation>> = {
  get_current_day: (call) => call.part('calendar').current_day,
  create_calendar_event(call) {
    const { events, account_email } = call.part('calendar');
    const guests = call.has('participants') ? call.texts('participants') : [];
    const event: CalendarEvent = {
      id_: nextId(events),
      title: call.text('title'),
      description: call.text('description'),
      start_time: parseTime(call.text('start_time'), MINUTE),
      end_time: parseTime(call.text('end_time'), MINUTE),
      location: call.has('location') ? call.text('location') : null,
      participants: emailAddresses('CalendarEvent', 'participants', [...new Set([...guests, account_email])]),
      all_day: false,
      status: 'confirmed',
    };
    events.set(event.id_, event);
    notify(call, event, `Invitation: ${event.title}`, event.description);
    return event;
  },
  search_calendar_events(call) {
    const query = call.text('query').toLowerCase();
    const day = call.has('date') ? dayOf(parseTime(call.text('date'), DAY)) : undefined;
    const found = events(call).filter(
      (event) =>
        (day === undefined || dayOf(event.start_time) === day) &&
        (event.title.toLowerCase().includes(query) || event.description.toLowerCase().includes(query)),
    );
    if (found.length === 0) throw valueError('No events found. Try with a different query.');
    return found;
  },
  get_day_calendar_events(call) {
    const day = dayOf(parseTime(call.text('day'), DAY));
    return events(call).filter((event) => dayOf(event.start_time) === day);
  },
  cancel_calendar_event(call) {
    const event = eventOf(call);
    event.status = 'canceled';
    notify(call, event, `Canceled: '${event.title}'`, 'The event has been canceled.');
    return `Event with ID ${event.id_} has been canceled and participants have been notified.`;
  },
  reschedule_calendar_event(call) {
    const event = eventOf(call);
    const start = parseTime(call.text('new_start_time'), MINUTE);
    const end = call.has('new_end_time')
      ? parseTime(call.text('new_end_time'), MINUTE)
      : addMinutes(start, minutesBetween(event.start_time, event.end_time));
    event.start_time = start;
    event.end_time = end;
    // The braces are AgentDojo's: its text was never filled in.
    notify(call, event, "Rescheduled: '{event.title}'", 'The event has been rescheduled.');
    return event;
  },
  add_calendar_event_participants(call) {
    const event = eventOf(call);
    event.participants.push(...call.texts('participants'));
    return event;
  },
};

function events(call: Call): CalendarEvent[] {
  return [...call.part('calendar').events.values()];
}

function eventOf(call: Call): CalendarEvent {
  const id = call.text('event_id');
  const event = call.part('calendar').events.get(id);
  if (event === undefined) throw valueError(`Event with ID '${id}' not found.`);
  return event;
}

function notify(call: Call, event: CalendarEvent, subject: string, body: string): void {
  sendMail(call.part('inbox'), call.now, {
    recipients: [...event.participants],
    cc: [],
    bcc: [],
    subject,
    body,
    attachments: [structuredClone(event)],
  });
}

function dayOf(time: string): string {
  return time.slice(0, 10);
}
