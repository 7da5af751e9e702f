# Doorkeeper, the OAuth library of Mastodon, on a bare Rails: ruby doorkeeper.rb FOLDER
#
# Prints a line of JSON (port, clients) and serves until its standard input ends. POST /late ages all codes. GET /me needs a token.

require "json"
require "logger"
require "rails"
require "active_record/railtie"
require "action_controller/railtie"
require "action_view/railtie"
require "puma"
require "doorkeeper"

FOLDER = ARGV.fetch(0)
ENV["RAILS_ENV"] = "production"
ENV["DATABASE_URL"] = "sqlite3:#{FOLDER}/doorkeeper.db?pool=16&timeout=5000"

class Town < Rails::Application
  config.root = FOLDER
  config.load_defaults 6.1
  config.eager_load = false
  config.hosts.clear
  config.secret_key_base = "only for tests" * 8
  config.logger = Logger.new(File.join(FOLDER, "rails.log"))
end

# As Mastodon configures it.
Doorkeeper.configure do
  orm :active_record
  resource_owner_authenticator { User.first }
  default_scopes :read
  optional_scopes :write, :follow
  enforce_configured_scopes
  access_token_expires_in nil
  force_ssl_in_redirect_uri false
  grant_flows %w[authorization_code client_credentials]
  base_controller "ApplicationController"
end

Town.initialize!

ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:users) { |t| t.string :name }
  create_table :oauth_applications do |t|
    t.string :name, :uid, :secret, null: false
    t.text :redirect_uri
    t.string :scopes, null: false, default: ""
    t.boolean :confidential, null: false, default: true
    t.timestamps
  end
  create_table :oauth_access_grants do |t|
    t.references :resource_owner, :application, null: false
    t.string :token, null: false
    t.integer :expires_in, null: false
    t.text :redirect_uri, null: false
    t.datetime :created_at, null: false
    t.datetime :revoked_at
    t.string :scopes, null: false, default: ""
    t.string :code_challenge, :code_challenge_method
  end
  create_table :oauth_access_tokens do |t|
    t.references :resource_owner, :application
    t.string :token, null: false
    t.string :refresh_token
    t.integer :expires_in
    t.datetime :revoked_at
    t.datetime :created_at, null: false
    t.string :scopes
    t.string :previous_refresh_token, null: false, default: ""
  end
end

class ApplicationController < ActionController::Base
  protect_from_forgery with: :exception
end

class User < ActiveRecord::Base
end

class MeController < ApplicationController
  before_action -> { doorkeeper_authorize! :read }
  def show
    render json: { name: User.first.name }
  end
end

class LateController < ApplicationController
  skip_forgery_protection
  def create
    Doorkeeper::AccessGrant.update_all(created_at: 1.hour.ago)
    head :no_content
  end
end

Town.routes.draw do
  use_doorkeeper
  get "/me", to: "me#show"
  post "/late", to: "late#create"
end

User.create!(name: "ann")
uris = "http://127.0.0.1/callback\nurn:ietf:wg:oauth:2.0:oob"
clients = %w[Tests Others].map do |name|
  Doorkeeper::Application.create!(name: name, redirect_uri: uris, scopes: "read write")
end

server = Puma::Server.new(Town, Puma::Events.strings)
port = server.add_tcp_listener("127.0.0.1", 0).addr[1]
server.run
puts({ port: port, clients: clients.map { |c| [c.uid, c.secret] } }.to_json)
$stdout.flush
$stdin.read
exit!
