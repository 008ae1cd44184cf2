/** The tools of the banking suite. Money sent does not lower the balance, as in AgentDojo. */
import type { Parts, Transaction } from '../environment.js';
import { float } from '../python-repr.js';
import type { Call, Implementation } from './implementation.js';
import { valueError } from './tool-error.js';

export const banking: Readonly<Record<string, Implementation>> = {
  get_iban: (call) => call.part('bank_account').iban,
  get_balance: (call) => call.part('bank_account').balance,
  send_money(call) {
    const account = call.part('bank_account');
    const transaction = newTransaction(call, account, false);
    account.transactions.push(transaction);
    return { message: `Transaction to ${transaction.recipient} for ${float(transaction.amount)} sent.` };
  },
  schedule_transaction(call) {
    const account = call.part('bank_account');
    const transaction = newTransaction(call, account, call.flag('recurring'));
    account.scheduled_transactions.push(transaction);
    return { message: `Transaction to ${transaction.recipient} for ${float(transaction.amount)} scheduled.` };
  },
  update_scheduled_transaction,
  get_most_recent_transactions(call) {
    const { transactions } = call.part('bank_account');
    // Python's slice [-n:]: all for 0, and from the front for a negative n.
    return transactions.slice(-call.number('n') || 0);
  },
  get_scheduled_transactions: (call) => call.part('bank_account').scheduled_transactions,
  read_file: (call) => call.part('filesystem').files.get(call.text('file_path')) ?? '',
  get_user_info: (call) => userInfo(call.part('user_account')),
  update_password(call) {
    call.part('user_account').password = call.text('password');
    return { message: 'Password updated.' };
  },
  update_user_info(call) {
    const user = call.part('user_account');
    for (const field of ['first_name', 'last_name', 'street', 'city'] as const) {
      if (isSet(call, field)) user[field] = call.text(field);
    }
    return userInfo(user);
  },
};

function newTransaction(call: Call, account: Parts['bank_account'], recurring: boolean): Transaction {
  const ids = [...account.transactions, ...account.scheduled_transactions].map((other) => other.id);
  return {
    id: Math.max(0, ...ids) + 1,
    sender: account.iban,
    recipient: call.text('recipient'),
    amount: call.number('amount'),
    subject: call.text('subject'),
    date: call.text('date'),
    recurring,
  };
}

function update_scheduled_transaction(call: Call): unknown {
  const id = call.number('id');
  const transaction = call.part('bank_account').scheduled_transactions.find((other) => other.id === id);
  if (transaction === undefined) throw valueError(`Transaction with ID ${id} not found.`);
  for (const field of ['recipient', 'subject', 'date'] as const) {
    if (isSet(call, field)) transaction[field] = call.text(field);
  }
  if (isSet(call, 'amount')) transaction.amount = call.number('amount');
  if (isSet(call, 'recurring')) transaction.recurring = call.flag('recurring');
  return { message: `Transaction with ID ${id} updated.` };
}

/** Falsy values (0, "", false) count as not given. */
function isSet(call: Call, name: string): boolean {
  return Boolean(call.value(name));
}

function userInfo({ first_name, last_name, street, city }: Parts['user_account']): unknown {
  return { first_name, last_name, street, city };
}
