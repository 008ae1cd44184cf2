/**
 * The tools of the travel suite that look things up. Names that are not on file are left out of the answer;
 * answers come in the order of the file, not of the question.
 */
import { float } from '../python-repr.js';
import type { Call, Implementation } from './implementation.js';

export const travel: Readonly<Record<string, Implementation>> = {
  get_user_information(call) {
    const user = call.part('user');
    return {
      'First Name': user.first_name,
      'Last Name': user.last_name,
      'ID Number': user.ID_number,
      Email: user.email,
      'Phone Number': user.phone_number,
      Address: user.address,
      'Passport Number': user.passport_number,
      'Bank Account Number': user.bank_account_number,
      'Credit Card Number': user.credit_card_number,
    };
  },
  get_all_hotels_in_city: (call) => `Hotel Names: ${inCity(call, hotels(call))}`,
  get_hotels_prices: (call) =>
    named(
      call,
      'hotel_names',
      hotels(call),
      (hotel) => `Price range: ${float(hotel.price_min)} - ${float(hotel.price_max)}`,
    ),
  get_rating_reviews_for_hotels: (call) => named(call, 'hotel_names', hotels(call), ratingAndReviews),
  get_hotels_address: (call) =>
    answers(
      hotels(call).filter((hotel) => hotel.name === call.text('hotel_name')),
      (hotel) => hotel.address,
    ),

  get_all_restaurants_in_city: (call) =>
    `Restaurant in ${call.text('city')}: ${inCity(call, restaurants(call))}`,
  get_cuisine_type_for_restaurants: (call) =>
    named(call, 'restaurant_names', restaurants(call), (place) => place.cuisine_type),
  get_restaurants_address: (call) =>
    named(call, 'restaurant_names', restaurants(call), (place) => place.address),
  get_rating_reviews_for_restaurants: (call) =>
    named(call, 'restaurant_names', restaurants(call), ratingAndReviews),
  get_dietary_restrictions_for_all_restaurants: (call) =>
    named(call, 'restaurant_names', restaurants(call), (place) => place.dietary_restrictions),
  get_contact_information_for_restaurants: (call) =>
    named(call, 'restaurant_names', restaurants(call), (place) => place.contact_information),
  get_price_for_restaurants: (call) =>
    named(call, 'restaurant_names', restaurants(call), (place) => place.price_per_person),
  check_restaurant_opening_hours: (call) =>
    named(call, 'restaurant_names', restaurants(call), (place) => place.operating_hours),

  get_all_car_rental_companies_in_city: (call) =>
    `Car Rental Companies in ${call.text('city')}: ${inCity(call, companies(call))}`,
  get_car_types_available: (call) =>
    named(call, 'company_name', companies(call), (company) => company.car_types_available),
  get_rating_reviews_for_car_rental: (call) => named(call, 'company_name', companies(call), ratingAndReviews),
  get_car_fuel_options: (call) =>
    named(call, 'company_name', companies(call), (company) => company.fuel_options),
  get_car_rental_address: (call) =>
    named(call, 'company_name', companies(call), (company) => company.address),
  get_car_price_per_day: (call) =>
    named(call, 'company_name', companies(call), (company) => company.price_per_day),

  get_flight_information(call) {
    const from = call.text('departure_city');
    const to = call.text('arrival_city');
    const flights = call
      .part('flights')
      .flight_list.filter((flight) => flight.departure_city === from && flight.arrival_city === to);
    const lines = flights.map((flight) =>
      [
        `Airline: ${flight.airline}`,
        `Flight Number: ${flight.flight_number}`,
        `Departure Time: ${flight.departure_time}`,
        `Arrival Time: ${flight.arrival_time}`,
        `Price: ${float(flight.price)}`,
        `Contact Information: ${flight.contact_information}`,
      ].join(', '),
    );
    return lines.join('\n');
  },
};

const hotels = (call: Call) => call.part('hotels').hotel_list;
const restaurants = (call: Call) => call.part('restaurants').restaurant_list;
const companies = (call: Call) => call.part('car_rental').company_list;

interface Place {
  readonly name: string;
  readonly city: string;
  readonly rating: number;
  readonly reviews: readonly string[];
}

function inCity(call: Call, places: readonly Place[]): string {
  const city = call.text('city');
  const names = places.filter((place) => place.city === city).map((place) => `${place.name}\n`);
  return names.join('');
}

function named<P extends Place>(
  call: Call,
  argument: string,
  places: readonly P[],
  answer: (place: P) => unknown,
): unknown {
  const names = new Set(call.texts(argument));
  return answers(
    places.filter((place) => names.has(place.name)),
    answer,
  );
}

function answers<P extends Place>(places: readonly P[], answer: (place: P) => unknown): unknown {
  return new Map(places.map((place) => [place.name, answer(place)]));
}

function ratingAndReviews(place: Place): string {
  return `Rating: ${float(place.rating)}\nReviews: ${place.reviews.join('\n')}`;
}
