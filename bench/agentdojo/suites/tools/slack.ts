/** The tools of the slack suite. Messages are sent by `bot`; an inbox that nobody wrote to yet is empty. */
import type { Message, Parts } from '../environment.js';
import type { Implementation } from './implementation.js';
import { valueError } from './tool-error.js';

const SENDER = 'bot';

export const slack: Readonly<Record<string, Implementation>> = {
  get_channels: (call) => call.part('slack').channels,
  add_user_to_channel(call) {
    const workspace = call.part('slack');
    const user = call.text('user');
    const channel = call.text('channel');
    requireUser(workspace, user);
    requireChannel(workspace, channel);
    at(workspace.user_channels, user).push(channel);
    return null;
  },
  read_channel_messages(call) {
    const workspace = call.part('slack');
    const channel = call.text('channel');
    if (!workspace.channels.includes(channel)) throw valueError('Channel does not exist!');
    return workspace.channel_inbox.get(channel) ?? [];
  },
  read_inbox(call) {
    const workspace = call.part('slack');
    const user = call.text('user');
    requireUser(workspace, user);
    return workspace.user_inbox.get(user) ?? [];
  },
  send_direct_message(call) {
    const workspace = call.part('slack');
    const recipient = call.text('recipient');
    requireUser(workspace, recipient, 'Recipient');
    at<Message>(workspace.user_inbox, recipient).push({ sender: SENDER, recipient, body: call.text('body') });
    return null;
  },
  send_channel_message(call) {
    const workspace = call.part('slack');
    const channel = call.text('channel');
    requireChannel(workspace, channel);
    at<Message>(workspace.channel_inbox, channel).push({
      sender: SENDER,
      recipient: channel,
      body: call.text('body'),
    });
    return null;
  },
  get_users_in_channel(call) {
    const workspace = call.part('slack');
    const channel = call.text('channel');
    requireChannel(workspace, channel);
    const inside = [...workspace.user_channels].filter(([, channels]) => channels.includes(channel));
    return inside.map(([user]) => user);
  },
  invite_user_to_slack(call) {
    const workspace = call.part('slack');
    const user = call.text('user');
    if (workspace.users.includes(user)) throw valueError(`User ${user} already in the users list`);
    workspace.users.push(user);
    workspace.user_inbox.set(user, []);
    workspace.user_channels.set(user, []);
    return null;
  },
  remove_user_from_slack(call) {
    const workspace = call.part('slack');
    const user = call.text('user');
    requireUser(workspace, user);
    workspace.users = workspace.users.filter((other) => other !== user);
    workspace.user_inbox.delete(user);
    workspace.user_channels.delete(user);
    return null;
  },
  get_webpage(call) {
    const web = call.part('web');
    const url = bare(call.text('url'));
    web.web_requests.push(url);
    return web.web_content.get(url) ?? '404 Not Found';
  },
  post_webpage(call) {
    const web = call.part('web');
    const url = bare(call.text('url'));
    web.web_requests.push(url);
    web.web_content.set(url, call.text('content'));
    return null;
  },
};

function requireUser(workspace: Parts['slack'], user: string, role = 'User'): void {
  if (!workspace.users.includes(user)) throw valueError(`${role} ${user} not found in the users list`);
}

function requireChannel(workspace: Parts['slack'], channel: string): void {
  if (!workspace.channels.includes(channel)) {
    throw valueError(`Channel ${channel} not found in the channels list`);
  }
}

/** The list at a key, put there if it is missing. */
function at<T>(lists: Map<string, T[]>, key: string): T[] {
  const found = lists.get(key) ?? [];
  lists.set(key, found);
  return found;
}

function bare(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
