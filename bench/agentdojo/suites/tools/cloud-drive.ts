/** The file tools of the workspace suite. */
import { type CloudDriveFile, fileSize } from '../environment.js';
import type { Call, Implementation } from './implementation.js';
import { nextId } from './next-id.js';
import { valueError } from './tool-error.js';

export const cloudDrive: Readonly<Record<string, Implementation>> = {
  append_to_file(call) {
    const file = fileOf(call);
    file.content += call.text('content');
    file.size = fileSize(file.content);
    file.last_modified = call.now;
    return file;
  },
  search_files_by_filename(call) {
    const query = call.text('filename').toLowerCase();
    return files(call).filter((file) => file.filename.toLowerCase().includes(query));
  },
  create_file(call) {
    const drive = call.part('cloud_drive');
    const content = call.text('content');
    const file: CloudDriveFile = {
      id_: nextId(drive.files),
      filename: call.text('filename'),
      content,
      owner: drive.account_email,
      last_modified: call.now,
      shared_with: new Map(),
      size: fileSize(content),
    };
    drive.files.set(file.id_, file);
    return file;
  },
  delete_file(call) {
    const file = fileOf(call);
    call.part('cloud_drive').files.delete(file.id_);
    return file;
  },
  get_file_by_id: fileOf,
  list_files: files,
  share_file(call) {
    const file = fileOf(call);
    file.shared_with.set(call.text('email'), call.text('permission') === 'rw' ? 'rw' : 'r');
    return file;
  },
  search_files(call) {
    const query = call.text('query');
    const found = files(call).filter((file) => file.content.toLowerCase().includes(query.toLowerCase()));
    if (found.length === 0) {
      throw valueError(`No files found with the given query ('${query}'). Try a different search term.`);
    }
    return found;
  },
};

function files(call: Call): CloudDriveFile[] {
  return [...call.part('cloud_drive').files.values()];
}

function fileOf(call: Call): CloudDriveFile {
  const id = call.text('file_id');
  const file = call.part('cloud_drive').files.get(id);
  if (file === undefined) throw valueError(`File with ID '${id}' not found.`);
  return file;
}
