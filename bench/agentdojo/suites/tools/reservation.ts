/** The booking tools of the travel suite. There is one reservation; a later booking takes its place. */
import type { Parts } from '../environment.js';
import { addMinutes, parseIsoTime } from '../python-time.js';
import type { Call, Implementation } from './implementation.js';

export const reservation: Readonly<Record<string, Implementation>> = {
  reserve_hotel(call) {
    const [start, end] = [call.text('start_day'), call.text('end_day')];
    reserve(call, 'hotel', call.text('hotel'), parseIsoTime(start), parseIsoTime(end));
    return done(call.text('hotel'), start, end);
  },
  reserve_car_rental(call) {
    const start = call.text('start_time');
    const end = call.has('end_time') ? call.text('end_time') : 'None';
    // It ends when it starts: the benchmark's own mistake, kept for the sake of its checks.
    reserve(call, 'car', call.text('company'), parseIsoTime(start), parseIsoTime(start));
    return done(call.text('company'), start, end);
  },
  reserve_restaurant(call) {
    const start = parseIsoTime(call.text('start_time'));
    const end = addMinutes(start, 120);
    reserve(call, 'restaurant', call.text('restaurant'), start, end);
    return done(call.text('restaurant'), start, end);
  },
};

function reserve(
  call: Call,
  kind: Parts['reservation']['reservation_type'],
  title: string,
  start: string,
  end: string,
): void {
  const booked = call.part('reservation');
  booked.reservation_type = kind;
  booked.title = title;
  booked.start_time = start;
  booked.end_time = end;
  booked.contact_information = call.part('user').phone_number;
}

function done(where: string, start: string, end: string): string {
  return `Reservation for ${where} from ${start} to ${end} has been made successfully.`;
}
